"""settings.py -- one machine, without a batch system: an example of what a site has already.
SPDX-License-Identifier: Apache-2.0
"""
site_configuration = {
    "systems": [{
        "name": "here",
        "hostnames": [".*"],
        "partitions": [{"name": "ranks", "scheduler": "local", "launcher": "mpiexec", "environs": ["plain"],
                        "max_jobs": 1}],
    }],
    "environments": [{"name": "plain"}],
}
