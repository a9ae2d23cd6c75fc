import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { databaseUrl, onCluster, startTestCluster } from '#test/database/database-cluster.ts';
import { createSluice } from '#test/processes/sluice-process.ts';
import { newSecret, type StartsFigures, startTogether } from './processes/ten-nodes.ts';
import { checkOutRelease } from './project/release-checkout.ts';
import type { ProofResult } from './proof.ts';

const rounds = Number(process.env.SLUICE_PROOF_ROUNDS ?? 3);
const nodeCount = 10;
const formerDatabase = `sluice_former_${process.pid}`;

interface Kind {
  readonly name: string;
  readonly template?: string;
  readonly kills: boolean;
}

export async function proveStarts(): Promise<ProofResult> {
  const former = JSON.parse(readFileSync(join(import.meta.dirname, 'former-release.json'), 'utf8'));
  const secret = newSecret();
  const cluster = await startTestCluster('product');
  const byKind = new Map<string, StartsFigures[]>();
  try {
    await makeFormerDatabase(cluster.url, former.commit, secret);
    const kinds: Kind[] = [
      { name: 'empty', kills: false },
      { name: 'empty; the node that migrates is killed', kills: true },
      { name: `of ${former.version}`, kills: false, template: formerDatabase },
      {
        name: `of ${former.version}; the node that migrates is killed`,
        kills: true,
        template: formerDatabase,
      },
    ];
    for (let round = 0; round < rounds; round++) {
      for (const { name, ...kind } of kinds) {
        const figures = await startTogether({ clusterUrl: cluster.url, nodeCount, secret, ...kind });
        console.log(name, JSON.stringify(figures));
        byKind.set(name, [...(byKind.get(name) ?? []), figures]);
      }
    }
    await onCluster(cluster.url, `DROP DATABASE ${formerDatabase} WITH (FORCE)`);
  } finally {
    await cluster.stop();
  }
  return {
    title: 'ten nodes that start at once on one database become ready, even if the migrating node is killed',
    holds: [...byKind.values()].flat().every(isGood),
    text: describe(byKind),
  };
}

/** Creates a database as the previous release leaves it after its setup and stop. */
async function makeFormerDatabase(clusterUrl: string, commit: string, secret: string): Promise<void> {
  await onCluster(clusterUrl, `CREATE DATABASE ${formerDatabase}`);
  const release = checkOutRelease(commit);
  const node = await createSluice({
    DATABASE_URL: databaseUrl(clusterUrl, formerDatabase),
    SLUICE_SECRET: secret,
    SLUICE_WORKERS: '1',
    SLUICE_SANDBOX: '0',
    LOG_LEVEL: 'silent',
  });
  try {
    await node.start(release.folder);
  } finally {
    await node.remove();
    release.remove();
  }
}

const isGood = ({ administrators, deadlocks, failed, strayMigrations }: StartsFigures) =>
  failed.length + strayMigrations.length + deadlocks === 0 && administrators === 1;

function describe(byKind: ReadonlyMap<string, readonly StartsFigures[]>): string {
  const rows = [...byKind].map(([name, all]) => {
    const sum = (figure: (one: StartsFigures) => number) =>
      all.reduce((total, one) => total + figure(one), 0);
    const killedAfter = all.map((one) => one.killedAfter).filter((count) => count !== null);
    const cells = [
      name,
      all.length,
      killedAfter.length === 0 ? 'none' : `after ${killedAfter.join(', ')}`,
      sum((one) => one.failed.length),
      sum((one) => one.strayMigrations.length),
      all.filter((one) => one.administrators !== 1).length,
      sum((one) => one.deadlocks),
      `${(Math.max(...all.map((one) => one.tookMs)) / 1000).toFixed(0)} s`,
    ];
    return `| ${cells.join(' | ')} |`;
  });
  const said = [...byKind.values()].flat().flatMap(({ failed }) => failed);
  return `${nodeCount} nodes with one worker and their own data folder each start at the same time on one PostgreSQL. In half of the rounds all processes of
the node that holds the migration lock are killed after it has run some migrations; the node is started again when the others are ready. Each migration must have one row, exactly one node must
have set up the first administrator, and every node must become ready within a minute.

| database | rounds | migrations at the kill | nodes that failed | migrations missing or run twice | rounds without exactly one administrator | deadlocks | slowest round |
|---|---|---|---|---|---|---|---|
${rows.join('\n')}${said.map((text) => `\n- ${text.slice(0, 300)}`).join('')}`;
}
