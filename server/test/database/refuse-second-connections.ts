import pg from 'pg';
import { afterAll, afterEach, expect } from 'vitest';
import { FairPool } from '#db/fair-pool.ts';
import { isConnectionHeld } from '#db/held-connection.ts';

/**
 * Fails tests in which code requests a pooled connection while it holds another. As many such callers as the pool has
 * connections would deadlock. The test fails even if the caller catches the error.
 */
let found: Error[] = [];

const prototypes: readonly pg.Pool[] = [pg.Pool.prototype, FairPool.prototype];
for (const prototype of prototypes) {
  const { connect } = prototype;
  const connectOnce = function (this: pg.Pool, ...callback: [never]): unknown {
    if (!isConnectionHeld()) return connect.apply(this, callback);
    const error = new Error('a second pooled connection was requested while one was held');
    found.push(error);
    throw error;
  };
  // safe because connectOnce has the parameters and the result of the method
  prototype.connect = connectOnce as typeof connect;
  // The next test file in the process evaluates this module again.
  afterAll(() => {
    prototype.connect = connect;
  });
}

afterEach(() => {
  expect(takeSecondConnections().map(({ stack }) => stack)).toEqual([]);
});

export function takeSecondConnections(): readonly Error[] {
  const attempts = found;
  found = [];
  return attempts;
}
