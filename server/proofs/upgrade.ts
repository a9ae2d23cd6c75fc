import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type UpgradeFigures, upgradeInTurns } from '#test/load/rolling-upgrade.ts';
import { findNginx } from '#test/processes/nginx.ts';
import { checkOutRelease } from '#test/project/release-checkout.ts';
import type { ProofResult } from './proof.ts';

/** Overridden by `SLUICE_PROOF_ROUNDS`. */
const rounds = Number(process.env.SLUICE_PROOF_ROUNDS ?? 5);
const refusalAdvice = 'newer version of Sluice';

interface FormerRelease {
  readonly version: string;
  /** Commit of the release. */
  readonly commit: string;
}

/** Upgrades two nodes of the previous release in turn under load, and checks for failed requests and missing rows. */
export async function proveUpgrade(): Promise<ProofResult> {
  const former: FormerRelease = JSON.parse(
    readFileSync(join(import.meta.dirname, 'former-release.json'), 'utf8'),
  );
  const title = `upgrading two nodes from ${former.version} in turn under load fails no request`;
  const program = findNginx();
  if (!program) {
    const text = 'Not run: there is no nginx at `/usr/sbin/nginx`, and `SLUICE_TEST_NGINX` names none.';
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
  return `Two nodes of release ${version} (commit ${commit.slice(0, 8)}, its own files out of git) begin on an empty PostgreSQL behind nginx, which
repeats nothing, and 12 callers ask for whole answers and streams all the time. The first node is replaced by this version
(commit ${head}), which runs ${example?.migrations ?? 0} migrations. Then the former version takes all requests alone, on the migrated schema, then both do, then the
second node is replaced. Each request that was answered must have one row, which says that it was a success. On the migrated schema the
former version must answer each page of its console (${example?.pages ?? 0} GET routes) as it did before. At the end the former version is started once more: it must
refuse the newer database and say what to do.

| upgrades | requests | of them streams | answered by ${version} alone on the new schema | by both versions | failed | lost rows | doubled rows | rows without success | pages that changed | downgrades refused |
|---|---|---|---|---|---|---|---|---|---|---|
| ${all.length} | ${sum((one) => one.requests)} | ${sum((one) => one.streams)} | ${sum((one) => one.answeredByFormer)} | ${sum((one) => one.answeredByBoth)} | ${sum((one) => one.failed.length)} | ${sum((one) => one.lost)} | ${sum((one) => one.doubled)} | ${sum((one) => one.unsuccessful)} | ${changed.join('; ') || 0} | ${refused} |`;
}
