"""What a page may load: itself, and the files beside it. A content security policy says so to the browser."""

import base64
import hashlib

from bs4 import BeautifulSoup

# file: for a page that is opened from a folder. Styles stand in elements of replies, so inline ones are allowed.
BESIDE = "'self' file:"


def policy(soup: BeautifulSoup) -> str:
    """Scripts in the page run if they are those that the export wrote: each is named by its hash."""
    inline = [script.string for script in soup("script", src=False) if script.get("type") != "application/json"]
    hashes = [base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in inline]
    return "; ".join(
        [
            "default-src 'none'",
            " ".join([f"script-src {BESIDE}", *(f"'sha256-{name}'" for name in hashes)]),
            "style-src 'unsafe-inline'",
            f"img-src {BESIDE} data:",
            f"font-src {BESIDE} data:",
            "base-uri 'none'",
            "form-action 'none'",
        ]
    )


def declare(soup: BeautifulSoup) -> None:
    """Put the policy at the top of the page, before anything that it governs."""
    tag = soup.new_tag("meta", attrs={"http-equiv": "Content-Security-Policy", "content": policy(soup)})
    soup.head.meta.insert_after(tag)
