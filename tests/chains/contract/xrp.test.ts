import { contractRow } from "#tests/support/contract-drivers/drivers.ts";
import { keepContract } from "#tests/support/contract-suite.ts";

keepContract([contractRow("xrp")]);
