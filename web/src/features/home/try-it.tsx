import { Button, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { TextAreaField } from '#components/forms/text-field.tsx';
import { StatusMark } from '#components/ui/status-mark.tsx';
import { tenantHeaders } from '#lib/acting-tenant.ts';
import { readToken } from '#lib/token.ts';
import styles from './api-tab.module.css';
import type { Operation } from './read-openapi.ts';

type Outcome = { answer: CallAnswer } | { problem: string };

export function TryIt({ operation, model }: { operation: Operation; model: string }) {
  const [values, setValues] = useState<Record<string, string>>({});
  const [body, setBody] = useState(() => writeExample(operation, model));
  const { outcome, isPending, send } = useCall(() => sendCall(operation, values, body));
  return (
    <form className={styles.form} onSubmit={send} aria-label={`Try ${operation.id}`}>
      <h3>Try it</h3>
      {operation.parameters.map(({ name, place, description }) => (
        <TextInput
          key={name}
          label={name}
          description={description}
          required={place === 'path'}
          autoComplete="off"
          value={values[name] ?? ''}
          onChange={(change) => setValues({ ...values, [name]: change.currentTarget.value })}
        />
      ))}
      {operation.body && (
        <TextAreaField
          label="Body"
          rows={Math.min(14, body.split('\n').length + 1)}
          spellCheck={false}
          className={styles.body}
          value={body}
          onChange={(change) => setBody(change.currentTarget.value)}
        />
      )}
      {operation.method !== 'GET' && !operation.isForModels && (
        <p className="quiet">This sends a real request. Its changes take effect.</p>
      )}
      <Button type="submit" aria-disabled={isPending}>
        {isPending ? 'Sending...' : 'Send'}
      </Button>
      <div role="status">{outcome && <ShownOutcome outcome={outcome} />}</div>
    </form>
  );
}

/** Runs one call at a time and keeps the last result. */
function useCall(call: () => Promise<CallAnswer>) {
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const [isPending, setPending] = useState(false);
  const send = async (event: FormEvent) => {
    event.preventDefault();
    if (isPending) return;
    setPending(true);
    setOutcome(await call().then((answer) => ({ answer }), toProblem));
    setPending(false);
  };
  return { outcome, isPending, send };
}

const toProblem = (error: unknown): Outcome => ({
  problem: error instanceof SyntaxError ? error.message : 'The gateway cannot be reached',
});

function ShownOutcome({ outcome }: { outcome: Outcome }) {
  if ('problem' in outcome) return <StatusMark kind="bad">{outcome.problem}</StatusMark>;
  const { status, milliseconds, requestId, text } = outcome.answer;
  return (
    <>
      <p className={styles.outcome}>
        <StatusMark kind={status < 400 ? 'ok' : 'bad'}>{status}</StatusMark>
        <span className="num">{milliseconds} ms</span>
        {requestId !== null && (
          <span>
            Request <code>{requestId}</code>
          </span>
        )}
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard */}
      <pre className={styles.answer} tabIndex={0}>
        <code>{text === '' ? '(nothing)' : text}</code>
      </pre>
    </>
  );
}

function writeExample({ body }: Operation, model: string): string {
  if (body === null) return '';
  const { example } = body;
  const isAboutModel = typeof example === 'object' && example !== null && 'model' in example;
  return JSON.stringify(isAboutModel ? { ...example, model } : example, null, 2);
}

interface CallAnswer {
  readonly status: number;
  readonly milliseconds: number;
  readonly requestId: string | null;
  /** JSON is indented. */
  readonly text: string;
}

type Values = Readonly<Record<string, string>>;

/**
 * Calls an endpoint of this server with the session of the browser.
 * @throws SyntaxError if the body is not JSON.
 */
async function sendCall(operation: Operation, values: Values, body: string): Promise<CallAnswer> {
  const startedMs = performance.now();
  const sent = operation.body === null ? null : encodeBody(operation.body.mediaType, body);
  const response = await fetch(addressOf(operation, values), {
    method: operation.method,
    headers: { ...authorization(), ...headersOf(operation, values), ...sent?.headers },
    ...(sent && { body: sent.text }),
  });
  const text = await response.text();
  return {
    status: response.status,
    milliseconds: Math.round(performance.now() - startedMs),
    requestId: response.headers.get('x-request-id'),
    text: indent(text),
  };
}

export function addressOf(
  { path, parameters }: Pick<Operation, 'path' | 'parameters'>,
  values: Values,
): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''));
  const query = new URLSearchParams();
  for (const { name, place } of parameters) {
    const value = values[name];
    if (place === 'query' && value) query.set(name, value);
  }
  return query.size === 0 ? filled : `${filled}?${query}`;
}

function headersOf({ parameters }: Operation, values: Values): Record<string, string> {
  const given = parameters.filter(({ name, place }) => place === 'header' && values[name]);
  return Object.fromEntries(given.map(({ name }) => [name, values[name] ?? '']));
}

function authorization(): Record<string, string> {
  const token = readToken();
  return token === null ? {} : { authorization: `Bearer ${token}`, ...tenantHeaders() };
}

export function encodeBody(mediaType: string, text: string) {
  const value: unknown = parseJson(text);
  const isForm = mediaType === 'application/x-www-form-urlencoded';
  const fields = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  const form = new URLSearchParams(fields.map(([name, field]) => [name, String(field)]));
  return { headers: { 'content-type': mediaType }, text: isForm ? form.toString() : text };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new SyntaxError('The body is not valid JSON');
  }
}

function indent(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
