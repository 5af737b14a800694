/** The contract suite on the nodes that the environment names. docs/develop.md says how. */

import { keepContract } from "#tests/chains/contract/suite.ts";
import { namedNodes } from "./named-nodes.ts";

keepContract(namedNodes(process.env), { concurrency: false });
