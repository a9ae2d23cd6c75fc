import { describe, expect, it } from 'vitest';
import { connectionsPerWorkerMin, countConnections, fitConnections } from './fit-connections.ts';

const stock = { allowed: 100, reserved: 3, used: 0, nodes: 2 };

describe('fitConnections', () => {
  it.each([
    ['a stock server and 2 nodes with 8 workers', 8, stock, [8, 5]],
    ['a stock server and 2 nodes with 2 workers', 2, stock, [2, 7]],
    ['a stock server and 3 nodes with 8 workers', 8, { ...stock, nodes: 3 }, [6, 4]],
    ['20 connections and 2 nodes with 8 workers', 8, { ...stock, allowed: 20 }, [1, 4]],
    ['a server that others fill', 8, { ...stock, used: 80 }, [3, 4]],
    ['a large server', 8, { ...stock, allowed: 500 }, [8, 7]],
    ['a node that has the server alone', 8, { ...stock, nodes: 1 }, [8, 7]],
  ])(
    'fitConnections returns workers and connections per worker for %s',
    (_, workers, capacity, [fittedWorkers, perWorker]) => {
      expect(fitConnections(workers, capacity)).toMatchObject({
        workers: fittedWorkers,
        connectionsPerWorker: perWorker,
      });
    },
  );

  it('fitConnections never exceeds the connections of the server, for any server, nodes and workers', () => {
    for (let allowed = 8; allowed <= 500; allowed += 7)
      for (let nodes = 1; nodes <= 50; nodes += 3)
        for (const workers of [1, 2, 4, 5, 8, 16, 64]) {
          const capacity = { allowed, reserved: 3, used: 0, nodes };
          try {
            const fitted = fitConnections(workers, capacity);
            expect(nodes * countConnections(fitted)).toBeLessThanOrEqual(allowed - 3);
            expect(fitted.connectionsPerWorker).toBeGreaterThanOrEqual(connectionsPerWorkerMin);
            expect(fitted.workers).toBeLessThanOrEqual(workers);
          } catch (error) {
            expect(String(error)).toContain(`PostgreSQL allows ${allowed} connections`);
            expect(Math.floor((allowed - 3) / nodes)).toBeLessThan(
              countConnections({ workers: 1, connectionsPerWorker: connectionsPerWorkerMin }),
            );
          }
        }
  });

  it('fitConnections warns with the numbers and the fix, only if connections are missing', () => {
    expect(fitConnections(2, stock).warning).toBeNull();
    expect(fitConnections(8, { ...stock, used: 4 }).warning).toBe(
      'PostgreSQL allows 100 connections, 3 of them reserved; 2 nodes share them, and 4 are in use by others. This node runs 8 workers with 5 connections each, and would run 8 with 7. Set max_connections of the server to at least 125, lower SLUICE_WORKERS, or put PgBouncer in between (docs/operating/postgresql.md).',
    );
  });
});
