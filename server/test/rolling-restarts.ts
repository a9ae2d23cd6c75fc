import { type LoadFigures, loadTwoNodes } from './two-nodes-under-load.ts';

/** What rolling restarts under load came to. */
export interface RollingFigures extends LoadFigures {
  restarts: number;
  /** The longest stop of a node. */
  stopMs: number;
}

/**
 * Restarts two nodes on one database in turn, `rounds` times each, behind an nginx that repeats nothing, as an
 * orchestrator does: out of nginx's list, stopped, started, back in the list once ready. Callers ask all the time.
 */
export async function restartInTurns(nginxProgram: string, rounds: number): Promise<RollingFigures> {
  let stopMs = 0;
  let restarts = 0;
  const figures = await loadTwoNodes(
    { nginxProgram, env: { SLUICE_DRAIN_DELAY: '1 s' } },
    async ({ nodes, restart }) => {
      for (let round = 0; round < rounds; round++) {
        for (const node of nodes) {
          stopMs = Math.max(stopMs, await restart(node));
          restarts += 1;
        }
      }
    },
  );
  return { ...figures, restarts, stopMs };
}
