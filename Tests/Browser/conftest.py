from chromium import browser, chromium  # noqa: F401  fixtures
