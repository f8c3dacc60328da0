"""The service over HTTP: /v1 with OpenAPI, who may ask, and what is refused before anything is looked at."""
