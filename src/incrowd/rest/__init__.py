"""The service over HTTP: /v1 with OpenAPI, authentication, and checks before a request is handled."""
