import type { IncomingMessage, ServerResponse } from 'node:http';
import { unescape as decode } from 'node:querystring';
import type { WritableJournal } from '../journal.ts';
import { type Call, sendError } from './call.ts';
import { completeChat } from './chat-completions.ts';
import { invalidRequest, RequestRefused, type WireError } from './errors.ts';
import { listModels, showModel } from './model-list.ts';

const MODELS = '/v1/models';

/** Answers everything under an OpenAI base URL, errors included; never rejects. */
export function createOpenAiRoutes(journal: WritableJournal) {
  let callCount = 0;
  return async (request: IncomingMessage, response: ServerResponse, path: string): Promise<void> => {
    const id = String(++callCount).padStart(12, '0');
    const call = { request, response, id, startedAt: Date.now() };
    try {
      authorize(request.headers.authorization);
      await dispatch(call, path, journal);
    } catch (error) {
      if (response.headersSent) response.destroy();
      else if (!response.destroyed) sendError(call, wireErrorOf(error));
    }
  };
}

async function dispatch(call: Call, path: string, journal: WritableJournal): Promise<void> {
  const { method } = call.request;
  if (method === 'POST' && path === '/v1/chat/completions') return completeChat(call, journal);
  if (method === 'GET' && path === MODELS) return listModels(call);
  if (method === 'GET' && path.startsWith(`${MODELS}/`)) {
    return showModel(call, decode(path.slice(MODELS.length + 1)));
  }
  throw invalidRequest('unknown_url', null, `There is no ${method} ${path} here.`, 404);
}

function authorize(authorization: string | undefined): void {
  const [, key] = /^Bearer (\S+)$/i.exec(authorization ?? '') ?? [];
  if (key === undefined)
    throw invalidRequest(null, null, 'No API key was given in the Authorization header.', 401);
  if (key.startsWith('sk-wrong')) {
    throw invalidRequest('invalid_api_key', null, 'Incorrect API key provided.', 401);
  }
}

function wireErrorOf(error: unknown): WireError {
  if (error instanceof RequestRefused) return error.wire;
  // A defect of the sandbox must show in the test that met it, unlike the failures it plays.
  const message = `The sandbox itself is broken: ${String(error)}`;
  return { status: 500, type: 'server_error', code: 'sandbox_defect', param: null, message };
}
