# SPDX-FileCopyrightText: The Fletch authors
# SPDX-License-Identifier: Apache-2.0
"""What mkdocs calls while it builds the site: navigation, links to sources, and a check of all links."""

import functools
import html
import os
import posixpath
import re
import shutil
import urllib.parse
from pathlib import Path

from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File

ROOT = Path(__file__).resolve().parents[2]
SOURCES = os.environ["SITE_SOURCES"]  # the folder of the sources on the web; empty: copy the linked ones


def slug(heading, separator):
    """The anchor that GitHub gives a heading."""
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", separator)


def on_config(config):
    config["mdx_configs"]["toc"] = {"slugify": slug}
    config["theme"].static_templates.clear()  # 404.html and sitemap.xml need the site's address
    index = (ROOT / "docs/README.md").read_text()
    nav = [{"Home": "README.md"}, {"Tutorial": "docs/tutorial.md"}]
    for part in index.split("\n## ")[1:]:
        pages = dict.fromkeys("docs/" + page for page in re.findall(r"\]\(([\w-]+/[\w-]+\.md)\)", part))
        if pages:
            nav.append({part.split("\n")[0]: list(pages)})
    project = ["CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "RELEASING.md"]
    nav.append({"Project": [{"All pages": "docs/README.md"}, *project]})
    nav.append({"Javadoc": "api/index.html"})
    config["nav"] = nav
    return config


def on_page_markdown(markdown, page, config, files):
    """Links to files that are no pages lead to the sources on the web, or to a copy in the site."""
    if re.search(r"(?m)^ +```", markdown):
        raise PluginError(f"{page.file.src_uri}: a block of code is indented, which Markdown in Python does not read")

    def source(link):
        path = posixpath.normpath(posixpath.join(posixpath.dirname(page.file.src_uri), link[1]))
        if path.startswith("..") or files.get_file_from_path(path) or not (ROOT / path).is_file():
            return link[0]
        if SOURCES:
            return f"]({SOURCES}/{path}"
        files.append(File(path, str(ROOT), config["site_dir"], False))
        return link[0]

    return re.sub(r"\]\(([^)#\s]+)", source, markdown)


def on_post_build(config):
    """Fails if a link leads nowhere, or a page loads something from another host."""
    site = Path(config["site_dir"]).resolve()
    shutil.copytree(ROOT / "target/apidocs", site / "api", dirs_exist_ok=True)
    faults = []
    links = 0

    @functools.cache
    def anchors(file):
        return set(map(html.unescape, re.findall(r'\b(?:id|name)="([^"]+)"', file.read_text())))

    for page in sorted(site.rglob("*.html")):
        text = page.read_text()
        found = re.findall(r'<(\w+)\b[^>]*?\s(?:href|src)="([^"]*)"', text)
        links += len(found)
        for tag, link in found:
            url = urllib.parse.urlsplit(html.unescape(link))
            target = (page.parent / urllib.parse.unquote(url.path)) if url.path else page
            target = target / "index.html" if target.is_dir() else target
            if url.scheme or url.netloc:
                valid = tag == "a"
            elif not target.is_file() or not target.resolve().is_relative_to(site):
                valid = False
            else:
                has_anchor = url.fragment and target.suffix == ".html"
                valid = not has_anchor or urllib.parse.unquote(url.fragment) in anchors(target)
            if not valid:
                faults.append(f"{page.relative_to(site)}: {link}")
    if faults:
        raise PluginError("broken links:\n" + "\n".join(faults))
    print(f"Site: {links} links, all lead somewhere")
