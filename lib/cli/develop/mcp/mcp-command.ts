import type { Readable, Writable } from "node:stream";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import type { Command } from "commander";
import type { Cli, WithCli } from "../../cli.ts";
import { readService, readTestService, URL_OPTION } from "../service.ts";
import { untilStopped } from "../until-stopped.ts";
import { createMcpServer } from "./mcp-server.ts";

/** A longer message ends the connection. The longest that a tool accepts has some kilobytes. */
const MAX_MESSAGE_BYTES = 256 * 1024;

interface McpOptions {
  readonly url?: string;
  readonly allowTestLinks?: true;
}

export function addMcpCommand(mcp: Command, withCli: WithCli): void {
  mcp
    .description(
      "Speaks the Model Context Protocol on standard input and output: a program that writes code reads your links, deposits, " +
        "withdrawals, deliveries and balances, and the documents of the interface. The key is in PAYLINK_KEY.",
    )
    .option(...URL_OPTION)
    .option("--allow-test-links", "the program may also make payment links, with a test key")
    .action(withCli(serveMcp));
}

async function serveMcp(cli: Cli, options: McpOptions): Promise<void> {
  const allowTestLinks = options.allowTestLinks === true;
  const service = allowTestLinks ? readTestService(cli, options) : readService(cli, options);
  const limits = { maxBufferSize: MAX_MESSAGE_BYTES };
  // The types of a Cli are wider. Each stream of a process is one of these.
  const transport = new StdioServerTransport(cli.stdin as Readable, cli.stdout as Writable, limits);
  const { close } = serveStdio(() => createMcpServer(service, { allowTestLinks }), {
    transport,
    onerror: ({ message }) => cli.printMessage(message),
  });
  try {
    await Promise.race([untilStopped(cli), untilClosed(transport)]);
  } finally {
    await close();
  }
}

/** Resolves when the client has ended the connection. */
function untilClosed(transport: StdioServerTransport): Promise<void> {
  const { onclose } = transport;
  return new Promise((resolve) => {
    transport.onclose = () => {
      onclose?.();
      resolve();
    };
  });
}
