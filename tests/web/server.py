"""The pages as a process of their own, for browsers: python server.py PORT WORKSPACE."""

import sys


def main() -> None:
    import uvicorn
    from fastapi import FastAPI

    from incrowd.service import Pool, Workspace
    from incrowd.web import mount

    space = Workspace.open(sys.argv[2])
    app = FastAPI()
    mount(app, space)
    pool = Pool(space, workers=2)
    pool.start()
    try:
        uvicorn.run(app, host="127.0.0.1", port=int(sys.argv[1]), log_level="warning")
    finally:
        pool.stop()


if __name__ == "__main__":
    main()
