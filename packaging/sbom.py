#!/usr/bin/env python3
"""Writes what a file that users get is made of, as SPDX 2.3 in JSON.

usage: sbom.py NAME VERSION OUTPUT [COMPONENTS.tsv [NAME VERSION LICENCE SITE]...]

COMPONENTS.tsv is that of packaging/dependencies.sh: libraries whose code is inside. The words that follow name more of
them, four for each. Without it akin's code is alone, and the libraries that it needs are named without a version. The
time is SOURCE_DATE_EPOCH, so that the same commit gives the same bytes.
"""

import datetime
import json
import os
import pathlib
import re
import shlex
import sys
import uuid

DEPENDENCIES = pathlib.Path(__file__).with_name("dependencies.sh")


def needed():
    """What akin needs where it is not inside, by the lines `note NAME LICENCE SITE` of dependencies.sh."""
    lines = DEPENDENCIES.read_text(encoding="utf-8").splitlines()
    for _, name, licence, site in (shlex.split(line) for line in lines if line.startswith("note ")):
        yield name, None, licence, site


def identifier(name):
    return "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", name)


def package(name, version, licence, site):
    described = {
        "name": name,
        "SPDXID": identifier(name),
        "downloadLocation": site or "NOASSERTION",
        "filesAnalyzed": False,
        "licenseConcluded": licence,
        "licenseDeclared": licence,
        "copyrightText": "NOASSERTION",
    }
    return described | ({"versionInfo": version} if version else {})


def document(name, version, components, inside):
    """The description of one file. `inside`: the code of the components is in it, else it needs them."""
    when = datetime.datetime.fromtimestamp(int(os.environ.get("SOURCE_DATE_EPOCH", 0)), datetime.timezone.utc)
    how = "STATIC_LINK" if inside else "DEPENDS_ON"
    made = {
        "spdxVersion": "SPDX-2.3",
        "dataLicense": "CC0-1.0",
        "SPDXID": "SPDXRef-DOCUMENT",
        "name": f"{name}-{version}",
        "creationInfo": {"created": when.strftime("%Y-%m-%dT%H:%M:%SZ"), "creators": ["Tool: akin-sbom"]},
        "packages": [package(name, version, "MIT", None), *(package(*component) for component in components)],
        "relationships": [
            {
                "spdxElementId": "SPDXRef-DOCUMENT",
                "relationshipType": "DESCRIBES",
                "relatedSpdxElement": identifier(name),
            },
            *(
                {
                    "spdxElementId": identifier(name),
                    "relationshipType": how,
                    "relatedSpdxElement": identifier(component[0]),
                }
                for component in components
            ),
        ],
        "hasExtractedLicensingInfos": [
            {"licenseId": licence, "extractedText": "See the site of the component.", "name": licence}
            for licence in sorted({c[2] for c in components if c[2].startswith("LicenseRef-")})
        ],
    }
    return made | {"documentNamespace": uuid.uuid5(uuid.NAMESPACE_URL, json.dumps(made)).urn}


def main(name, version, output, *rest):
    components, rest = [], list(rest)
    inside = bool(rest)
    if inside:
        lines = pathlib.Path(rest.pop(0)).read_text(encoding="utf-8").splitlines()
        components = [line.split("\t") for line in lines]
    while rest:
        components.append([rest.pop(0) for _ in range(4)])
    made = document(name, version, components if inside else list(needed()), inside)
    pathlib.Path(output).write_text(json.dumps(made, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
