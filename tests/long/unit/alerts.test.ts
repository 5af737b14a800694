/** ops/alerts.yaml, as Prometheus' own tool reads it: the rules are valid, and fire when they should. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { unpackDebian } from "#lib/dev-chains/unpack-debian.ts";
import { temporaryFolder } from "#tests/support/database.ts";

const RULES = fileURLToPath(new URL("../../../ops/alerts.yaml", import.meta.url));
const unpacked = await unpackDebian("promtool", "promtool", process.env, () => {});
if (!unpacked.ok) throw new Error(unpacked.problem);
const promtool = (...args: string[]) => promisify(execFile)(join(unpacked.folder, "promtool"), args);

/** Alerts that fire after ten minutes of these series, one value a minute. */
async function assertFires(series: Readonly<Record<string, string>>, expected: readonly string[]) {
  const names = [
    "PaylinkNetworkUnwatched",
    "PaylinkNodeErrors",
    "PaylinkWebhooksRefused",
    "PaylinkMailsRefused",
    "PaylinkCustomersWait",
  ];
  const file = join(temporaryFolder(), "test.yaml");
  const tests = {
    rule_files: [RULES],
    evaluation_interval: "1m",
    tests: [
      {
        interval: "1m",
        input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
        promql_expr_test: names.map((name) => ({
          expr: `count(ALERTS{alertname="${name}",alertstate="firing"}) or vector(0)`,
          eval_time: "10m",
          exp_samples: [{ value: expected.includes(name) ? 1 : 0 }],
        })),
      },
    ],
  };
  // JSON is YAML.
  writeFileSync(file, JSON.stringify(tests));
  await promtool("test", "rules", file);
}

test("the rules are valid", async () => {
  const { stdout } = await promtool("check", "rules", RULES);
  assert.match(stdout, /SUCCESS: \d\d rules found/);
});

test("a process in order fires nothing", async () => {
  await assertFires(
    {
      'paylink_watch_failing{env="live",network="bitcoin"}': "0x10",
      'paylink_watch_pass_age_seconds{env="live",network="bitcoin"}': "5x10",
      'paylink_node_requests_total{network="bitcoin"}': "0+100x10",
      'paylink_node_errors_total{network="bitcoin"}': "0+1x10",
      'paylink_webhook_attempts_total{outcome="delivered"}': "0+10x10",
      'paylink_webhook_attempts_total{outcome="timeout"}': "0+1x10",
      'paylink_mail_attempts_total{outcome="sent"}': "0+3x10",
      'paylink_mail_attempts_total{outcome="refused"}': "0+1x10",
    },
    [],
  );
});

test("an unwatched network, failing nodes, refused webhooks and mails, and slow answers fire", async () => {
  await assertFires(
    {
      'paylink_watch_failing{env="live",network="bitcoin"}': "1x10",
      'paylink_node_requests_total{network="bitcoin"}': "0+100x10",
      'paylink_node_errors_total{network="bitcoin"}': "0+20x10",
      'paylink_webhook_attempts_total{outcome="delivered"}': "0+1x10",
      'paylink_webhook_attempts_total{outcome="timeout"}': "0+10x10",
      // One mail waits, and is tried every minute.
      'paylink_job_age_seconds{job="mail"}': "30x10",
      'paylink_mail_attempts_total{outcome="sent"}': "0x10",
      'paylink_mail_attempts_total{outcome="connection"}': "0+1x10",
      'paylink_http_request_seconds_bucket{area="page",le="0.5"}': "0+1x10",
      'paylink_http_request_seconds_bucket{area="page",le="1"}': "0+50x10",
      'paylink_http_request_seconds_bucket{area="page",le="+Inf"}': "0+50x10",
    },
    [
      "PaylinkNetworkUnwatched",
      "PaylinkNodeErrors",
      "PaylinkWebhooksRefused",
      "PaylinkMailsRefused",
      "PaylinkCustomersWait",
    ],
  );
});
