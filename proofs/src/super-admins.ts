import { createClusterDatabase } from '#test/database/cluster-database.ts';
import { startTestCluster } from '#test/database/database-cluster.ts';
import { pairs, raceLosses } from '#test/load/last-super-admin.ts';
import type { ProofResult } from './proof.ts';

const roundsPerPair = 1_000;

export async function proveSuperAdmins(): Promise<ProofResult> {
  const cluster = await startTestCluster();
  const database = await createClusterDatabase(cluster.url, cluster.template);
  try {
    await database.pool.query("INSERT INTO tenants (name, slug) VALUES ('One', 'one'), ('Two', 'two')");
    const rows: { name: string; wrong: number }[] = [];
    for (const pair of pairs) {
      let wrong = 0;
      for (let round = 0; round < roundsPerPair; round++) {
        const { refusals, left } = await raceLosses(database.pool, pair);
        if (refusals.length !== 1 || left !== 1) wrong++;
      }
      rows.push({ name: `${pair.one} and ${pair.other}`, wrong });
    }
    return {
      title: 'one super administrator remains when two are removed concurrently',
      holds: rows.every(({ wrong }) => wrong === 0),
      text: describe(rows),
    };
  } finally {
    await database.close();
    await cluster.stop();
  }
}

function describe(rows: readonly { name: string; wrong: number }[]): string {
  const lines = rows.map(({ name, wrong }) => `| ${name} | ${roundsPerPair} | ${wrong} |`);
  return `There are two super administrators, of two tenants. Two connections remove them at the same time; one removal must be rejected, and one
administrator must remain.

| removed by | rounds | wrong |
|---|---|---|
${lines.join('\n')}`;
}
