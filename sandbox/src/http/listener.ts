import type { IncomingMessage, ServerResponse } from 'node:http';
import { unescape as decode } from 'node:querystring';
import type { WritableJournal } from '../journal.ts';
import { type Problem, RequestRefused, refuse } from '../request/problem.ts';
import { type Call, sendProblem, type Vendor } from './vendor.ts';

/** The listener never rejects. It responds in the format of the URL's vendor, including errors. */
export function createListener(vendors: readonly Vendor[], journal: WritableJournal) {
  let callCount = 0;
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const id = String(++callCount).padStart(12, '0');
    const call = { request, response, journal, id, startedAt: Date.now(), ...locate(request, vendors) };
    try {
      call.vendor.authorize(call);
      await dispatch(call);
    } catch (error) {
      if (response.headersSent) response.destroy();
      else if (!response.destroyed) sendProblem(call, problemOfError(error));
    }
  };
}

function locate({ url = '/', headers }: IncomingMessage, vendors: readonly Vendor[]) {
  const [fullPath = '', search] = url.split('?');
  const query = new URLSearchParams(search);
  const [, name, rest = ''] = /^\/(\w+)(\/.*)$/.exec(fullPath) ?? [];
  const named = vendors.find((vendor) => vendor.name === name);
  const path = decode(named ? rest : fullPath);
  const vendor = named ?? vendors.find(({ owns }) => owns(path, headers));
  if (!vendor) throw new Error('The last vendor must own every URL.');
  return { vendor, path, query };
}

async function dispatch(call: Call): Promise<void> {
  const { method } = call.request;
  for (const route of call.vendor.routes) {
    const match = route.method === method && route.path.exec(call.path);
    if (match) return route.answer(call, match[1] ?? '');
  }
  throw refuse('unknown_path', `There is no ${method} ${call.path} here.`);
}

function problemOfError(error: unknown): Problem {
  if (error instanceof RequestRefused) return error.problem;
  // Unlike a simulated failure, a bug in the sandbox must be visible in the test that triggers the bug.
  return {
    kind: 'defect',
    message: `Unexpected error in the sandbox: ${String(error)}`,
    param: null,
    code: 'sandbox_defect',
  };
}
