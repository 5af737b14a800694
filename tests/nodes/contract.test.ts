/** The contract suite on the nodes that the environment names. docs/develop.md says how. */

import { keepContract } from "#tests/support/contract-suite.ts";
import { namedNodes } from "#tests/support/named-nodes.ts";

keepContract(namedNodes(process.env), { concurrency: false });
