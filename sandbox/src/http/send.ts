import type { Problem } from '../request/problem.ts';
import type { Call } from './vendor.ts';

export function sendJson(call: Call, status: number, body: unknown, headers: string[] = []): void {
  const json = JSON.stringify(body);
  const entity = ['content-type', 'application/json', 'content-length', String(Buffer.byteLength(json))];
  call.response.writeHead(status, [...call.vendor.headers(call), ...headers, ...entity]);
  call.response.end(json);
}

export function sendProblem(call: Call, problem: Problem): void {
  const { status, body, headers } = call.vendor.encodeError(problem, call);
  sendJson(call, status, body, headers);
}
