import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type UpgradeFigures, upgradeInTurns } from './load/rolling-upgrade.ts';
import { findNginx } from './processes/nginx.ts';
import { checkOutRelease } from './project/release-checkout.ts';
import type { ProofResult } from './proof.ts';

const rounds = Number(process.env.SLUICE_PROOF_ROUNDS ?? 5);
const refusalAdvice = 'newer version of Sluice';

interface FormerRelease {
  readonly version: string;
  readonly commit: string;
}

export async function proveUpgrade(): Promise<ProofResult> {
  const former: FormerRelease = JSON.parse(
    readFileSync(join(import.meta.dirname, 'former-release.json'), 'utf8'),
  );
  const title = `upgrading two nodes from ${former.version} in turn under load fails no request`;
  const program = findNginx();
  if (!program) {
    const text = 'Not run: nginx was not found at `/usr/sbin/nginx`, and `SLUICE_TEST_NGINX` is not set.';
    return { title, holds: false, text };
  }
  const release = checkOutRelease(former.commit);
  try {
    const all: UpgradeFigures[] = [];
    while (all.length < rounds) all.push(await upgradeInTurns(program, release.folder));
    return { title, holds: all.every(isGood), text: describe(all, former) };
  } finally {
    release.remove();
  }
}

const isGood = ({ failed, lost, doubled, unsuccessful, changedPages, refusal }: UpgradeFigures) =>
  failed.length + lost + doubled + unsuccessful + changedPages.length === 0 &&
  refusal.includes(refusalAdvice);

function describe(all: readonly UpgradeFigures[], { version, commit }: FormerRelease): string {
  const sum = (figure: (one: UpgradeFigures) => number) => all.reduce((total, one) => total + figure(one), 0);
  const [example] = all;
  const changed = [...new Set(all.flatMap(({ changedPages }) => changedPages))];
  const refused = all.filter(({ refusal }) => refusal.includes(refusalAdvice)).length;
  const head = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
  return `Two nodes of release ${version} (commit ${commit.slice(0, 8)}, with its own files from git) start on an empty PostgreSQL behind nginx, which
does not retry, and 12 callers continuously request complete responses and streams. The first node is replaced by this version
(commit ${head}), which runs ${example?.migrations ?? 0} migrations. Then the previous version handles all requests alone on the migrated schema, then both versions handle
them, and then the second node is replaced. Each request that got a response must have one row with status success. On the migrated schema the
previous version must serve each page of its console (${example?.pages ?? 0} GET routes) as before. At the end, the previous version is started again: it must
reject the newer database and explain what to do.

| upgrades | requests | streams | served by ${version} alone on the new schema | by both versions | failed | lost rows | duplicate rows | rows without success | pages that changed | downgrades refused |
|---|---|---|---|---|---|---|---|---|---|---|
| ${all.length} | ${sum((one) => one.requests)} | ${sum((one) => one.streams)} | ${sum((one) => one.answeredByFormer)} | ${sum((one) => one.answeredByBoth)} | ${sum((one) => one.failed.length)} | ${sum((one) => one.lost)} | ${sum((one) => one.doubled)} | ${sum((one) => one.unsuccessful)} | ${changed.join('; ') || 0} | ${refused} |`;
}
