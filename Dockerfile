# The service for one machine or behind a proxy:
#   docker build -t incrowd . && docker run -p 127.0.0.1:8080:8080 -v incrowd:/data incrowd
# It listens beyond the container, so it asks for API keys; make the first one with:
#   docker run --rm -v incrowd:/data incrowd serve --keys /data/keys --add-key NAME
FROM python:3.13-slim AS build
RUN apt-get update && apt-get install -y --no-install-recommends gcc libc6-dev
WORKDIR /src
COPY pyproject.toml setup.py MANIFEST.in README.md LICENSE ./
COPY src src
RUN INCROWD_COMPILED=1 pip wheel --no-cache-dir --no-deps --wheel-dir /wheels .

FROM python:3.13-slim
RUN useradd --system --uid 10001 --create-home incrowd && install -d -o incrowd -g incrowd -m 700 /data
COPY --from=build /wheels /wheels
RUN pip install --no-cache-dir "$(echo /wheels/*.whl)[serve,sql,excel,measure,table]" && rm -rf /wheels
USER incrowd
VOLUME /data
EXPOSE 8080
ENTRYPOINT ["incrowd"]
CMD ["serve", "--host", "0.0.0.0", "--port", "8080", "--workspace", "/data/workspace", "--keys", "/data/keys"]
