/** The bench of chains mostly waits for blocks, so it has a file of its own: the other benches run meanwhile. */
import { testBench } from "./run-short.ts";

testBench("chains");
