import type { IncomingMessage, ServerResponse } from 'node:http';
import type { GatewayError } from '#errors/gateway-error.ts';
import type { Logger } from '#platform/logger.ts';
import { answerError, toGatewayError } from '../answer-error.ts';
import { answerModels } from '../models.ts';
import type { PublicRoute } from '../routes.ts';
import { type AdmitDeps, admit } from './admit.ts';
import { type AttemptDeps, attempt } from './attempt.ts';
import { type AuthenticateDeps, type Authenticated, authenticate } from './authenticate.ts';
import { authorize } from './authorize.ts';
import { parse } from './parse.ts';
import { plan } from './plan.ts';
import { type Received, receive } from './receive.ts';
import { relay } from './relay.ts';
import { settle } from './settle.ts';

export interface PipelineDeps extends AuthenticateDeps, AdmitDeps, AttemptDeps {
  readonly sandboxOrigin: string | null;
  readonly bodyLimitBytes: number;
  readonly log: Logger;
}

/** A request's way through the stages, in the order of docs/LIFECYCLE.md. Never rejects. */
export async function runPipeline(
  deps: PipelineDeps,
  request: IncomingMessage,
  response: ServerResponse,
  route: PublicRoute,
  parameter: string | null,
): Promise<void> {
  const received = receive(request, response, route);
  let failure: GatewayError | null = null;
  try {
    const authenticated = await authenticate(received, deps);
    if (route.operation === 'chat.completions') await complete(authenticated, deps);
    else answerModels(authenticated, deps.snapshot, parameter);
  } catch (error) {
    failure = toGatewayError(error);
  } finally {
    if (route.operation === 'chat.completions') settle(received, failure, deps);
    if (failure) refuse(received, failure, deps.log);
  }
}

async function complete(authenticated: Authenticated, deps: PipelineDeps): Promise<void> {
  const parsed = await parse(authenticated, deps.bodyLimitBytes);
  const authorized = authorize(parsed, deps.snapshot);
  const planned = plan(authorized, deps.sandboxOrigin);
  const admitted = await admit(planned, deps);
  const attempted = await attempt(admitted, deps);
  await relay(attempted, deps);
}

function refuse({ record, response, route }: Received, failure: GatewayError, log: Logger): void {
  if (failure.code === 'internal_error')
    log.error({ requestId: record.id, error: failure.cause }, 'a request failed inside the gate');
  if (response.headersSent) response.destroy();
  else answerError(response, route.protocol, failure, record.id);
}
