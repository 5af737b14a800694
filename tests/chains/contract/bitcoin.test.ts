import { contractRow } from "#tests/chains/contract/drivers/drivers.ts";
import { keepContract } from "./suite.ts";

keepContract([contractRow("bitcoin")]);
