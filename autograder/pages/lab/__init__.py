"""The lab: a page in which a student writes a search and runs the open cases, with Python in the browser.

site             writes the page and all that it loads, with the stub for the editor
worker_calls     what the page's worker calls in Python: the report of a file, searches of a drawn tree
in_browser       grades a file in this process, without a sandbox
"""

POLICY = "; ".join(
    (
        *("default-src 'none'", "script-src 'self' 'wasm-unsafe-eval'", "worker-src blob:", "style-src 'self'"),
        *("connect-src 'self'", "img-src 'self' data: blob:", "base-uri 'none'", "form-action 'none'"),
    )
)
"""The Content-Security-Policy of the page: all that it loads is in its folder, and nothing is sent anywhere."""
