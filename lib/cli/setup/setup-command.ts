import type { Command } from "commander";
import type { WithCli } from "../cli.ts";
export function addSetupCommand(_setup: Command, _withCli: WithCli): void {}
