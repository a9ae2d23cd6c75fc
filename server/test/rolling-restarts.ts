import { type LoadFigures, loadTwoNodes, type TwoNodesOptions } from './two-nodes-under-load.ts';

/** For a node that has just come back to show what it does. */
const answersAfter = 30;

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
export function restartInTurns(nginxProgram: string, rounds: number): Promise<RollingFigures> {
  return restartUnderLoad({ nginxProgram, env: { SLUICE_DRAIN_DELAY: '1 s' } }, rounds, 'restart');
}

/** Restarts them in turn behind the shipped nginx and with the shipped drain delay, without a word to nginx. */
export function restartPlainly(nginxProgram: string, rounds: number): Promise<RollingFigures> {
  const options = { nginxProgram, nginxConfig: 'shipped', env: { SLUICE_DRAIN_DELAY: '5 s' } } as const;
  return restartUnderLoad(options, rounds, 'restartPlainly');
}

async function restartUnderLoad(
  options: TwoNodesOptions,
  rounds: number,
  way: 'restart' | 'restartPlainly',
): Promise<RollingFigures> {
  let stopMs = 0;
  let restarts = 0;
  const figures = await loadTwoNodes(options, async (pair) => {
    for (let round = 0; round < rounds; round++) {
      for (const node of pair.nodes) {
        stopMs = Math.max(stopMs, await pair[way](node));
        restarts += 1;
      }
    }
    await pair.awaitAnswers(answersAfter);
  });
  return { ...figures, restarts, stopMs };
}
