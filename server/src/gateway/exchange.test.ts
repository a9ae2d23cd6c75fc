import { expect, it } from 'vitest';
import { type Answer, type Authenticated, addResult, type Parsed, type Received } from './exchange.ts';

// safe because the tests read nothing else of a request
const received = {} as Received;
// safe for the same reason
const principal = { userId: 7 } as Authenticated['principal'];

it('a stage adds what it has found, to the same object', () => {
  const exchange = { ...received };
  expect(addResult(exchange, { principal })).toBe(exchange);
  expect(exchange).toMatchObject({ principal: { userId: 7 } });
});

// Each of these is a fault that the compiler finds; without the fault the directive itself is one.
it('no stage changes what another has found, nor adds what no stage finds', () => {
  const change = (exchange: Parsed, answer: Readonly<Answer>) => {
    // @ts-expect-error the principal is found by an earlier stage
    addResult(exchange, { principal });
    // @ts-expect-error together with a result of its own as well
    addResult(exchange, { task: null, principal });
    // @ts-expect-error no stage finds this
    addResult(exchange, { httpStatus: 200 });
    // @ts-expect-error what is found is not assigned to
    exchange.summary = { model: 'm', isStream: false, prompt: null };
    // @ts-expect-error nor any part of it
    exchange.summary.isStream = true;
    // @ts-expect-error nor what a later stage still adds to
    answer.bytes = 0;
  };
  expect(change).toBeTypeOf('function');
});
