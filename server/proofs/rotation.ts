import { createClusterDatabase } from '#test/database/cluster-database.ts';
import { startTestCluster } from '#test/database/database-cluster.ts';
import { killRotations, type RotationFigures } from '#test/load/rotation-rounds.ts';
import type { ProofResult } from './proof.ts';

/** Overridden by `SLUICE_PROOF_ROUNDS`. */
const kills = Number(process.env.SLUICE_PROOF_ROUNDS ?? 50);
const instances = 400;

/** Kills `sluice rotate-key` repeatedly, and checks that everything stays readable. */
export async function proveRotation(): Promise<ProofResult> {
  const cluster = await startTestCluster();
  try {
    const database = await createClusterDatabase(cluster.url, cluster.template);
    try {
      const { pool, connectionString } = database;
      const figures = await killRotations({ pool, connectionString, kills, instances, random: Math.random });
      return {
        title: 'a master key rotation can be killed at any moment',
        holds: figures.unreadable + figures.forgottenKeys === 0,
        text: describe(figures),
      };
    } finally {
      await database.close();
    }
  } finally {
    await cluster.stop();
  }
}

function describe(figures: RotationFigures): string {
  return `\`sluice rotate-key\` is killed by SIGKILL at random moments, over a database with ${instances} sealed provider keys: before the new secret is in use,
and while secrets are sealed anew. What was killed runs again, or is overtaken by a rotation to yet another secret, with all the former ones in
\`SLUICE_FORMER_SECRET\`. After each kill every provider key must open with the secrets that are given, and after each rotation that ends with its
own secret alone; API keys must keep their hashes.

| kills | of them between the change and the end | rotations overtaken by the next | finished | provider keys that do not open | looks at which API keys were unknown |
|---|---|---|---|---|---|
| ${figures.kills} | ${figures.killsMidway} | ${figures.overtaken} | ${figures.finished} | ${figures.unreadable} | ${figures.forgottenKeys} |`;
}
