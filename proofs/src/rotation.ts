import { createClusterDatabase } from '#test/database/cluster-database.ts';
import { startTestCluster } from '#test/database/database-cluster.ts';
import { killRotations, type RotationFigures } from '#test/load/rotation-rounds.ts';
import type { ProofResult } from './proof.ts';

const kills = Number(process.env.SLUICE_PROOF_ROUNDS ?? 50);
const instances = 400;

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
  return `\`sluice rotate-key\` is killed with SIGKILL at random moments, on a database with ${instances} encrypted provider keys: before the new secret is in use,
and while secrets are encrypted again. A killed rotation is run again, or is followed by a rotation to another secret, with all previous secrets in
\`SLUICE_FORMER_SECRET\`. After each kill every provider key must be decryptable with the configured secrets, and after each finished rotation with the
new secret only; API keys must keep their hashes.

| kills | kills between the change and the end | rotations followed by another | finished | provider keys that cannot be decrypted | checks in which API keys were unknown |
|---|---|---|---|---|---|
| ${figures.kills} | ${figures.killsMidway} | ${figures.overtaken} | ${figures.finished} | ${figures.unreadable} | ${figures.forgottenKeys} |`;
}
