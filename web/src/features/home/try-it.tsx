import { Button, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { TextAreaField } from '../../components/forms/text-area-field.tsx';
import { StatusMark } from '../../components/ui/status-mark.tsx';
import styles from './api-tab.module.css';
import type { Operation } from './read-openapi.ts';
import { type CallAnswer, sendCall } from './send-call.ts';

type Outcome = { answer: CallAnswer } | { problem: string };

/** Sends the call as the signed-in user and shows the response. */
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
        <p className="quiet">This is the real thing: what it changes is changed.</p>
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
  problem: error instanceof SyntaxError ? error.message : 'The gate cannot be reached',
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
