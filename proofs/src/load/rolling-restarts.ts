import { type LoadFigures, loadTwoNodes, type TwoNodesOptions } from './two-nodes-under-load.ts';

const answersAfter = 30;

export interface RollingFigures extends LoadFigures {
  restarts: number;
  /** Longest time to stop a node, in milliseconds. */
  stopMs: number;
}

/**
 * Restarts two nodes on one database in turn, `rounds` times each, behind an nginx without retries. Like an
 * orchestrator, removes each node from nginx's list during its restart.
 */
export function restartInTurns(nginxProgram: string, rounds: number): Promise<RollingFigures> {
  return restartUnderLoad({ nginxProgram, env: { SLUICE_DRAIN_DELAY: '1 s' } }, rounds, 'restart');
}

/**
 * Restarts two nodes in turn behind the shipped nginx configuration, with the shipped drain delay and without
 * notifying nginx.
 */
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
