import { errorCodes } from '@sluice/contract';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { SegmentedSwitch } from '#components/ui/segmented-switch.tsx';
import { Snippet } from '#components/ui/snippet.tsx';
import { assistants, type QuickStart, quickStarts } from './quick-starts.ts';
import styles from './tabs.module.css';

interface DocsTabProps {
  model: string;
  /** Whether the signed-in user may use any model. */
  hasModel: boolean;
  /** `null` if signed out. */
  keyPath: string | null;
  maySignUp: boolean;
}

export function DocsTab({ model, hasModel, keyPath, maySignUp }: DocsTabProps) {
  const { origin } = window.location;
  return (
    <section className={styles.section}>
      <h1>Docs</h1>
      <p className={styles.intro}>
        A first call needs three things: the base URL of this gateway, your API key, and the name of a model.
      </p>
      <ol className={styles.steps}>
        <li>
          <h2>Get your key</h2>
          <KeyHint keyPath={keyPath} maySignUp={maySignUp} />
          <Snippet title="In your shell" text="export SLUICE_API_KEY=slc_..." />
        </li>
        <li>
          <h2>Make the call</h2>
          {!hasModel && (
            <p>You do not have access to any model yet. Ask your administrator for access first.</p>
          )}
          <Starts label="Client" starts={quickStarts(origin, model)} />
        </li>
        <li>
          <h2>View the request</h2>
          <p>
            {keyPath === null ? 'The dashboard' : <Link to="/dashboard">Your dashboard</Link>} shows the
            request after about a second, with its usage. If it was refused, it shows the reason and what to
            do.
          </p>
        </li>
        <li>
          <h2>Or set up your coding assistant</h2>
          <Starts label="Assistant" starts={assistants(origin, model)} />
        </li>
      </ol>
      <p className={styles.hint}>
        <code>{model}</code> is the model in these examples. To list the models that you can use, call{' '}
        <code>GET /api/v1/models</code>. If you have several tasks, name one in the header{' '}
        <code>X-Task-Id</code> or in <code>task_id</code> in the body.
      </p>
      <ErrorCatalogue />
    </section>
  );
}

interface KeyHintProps {
  keyPath: string | null;
  maySignUp: boolean;
}

function KeyHint({ keyPath, maySignUp }: KeyHintProps) {
  if (keyPath !== null) {
    return (
      <p>
        <Link to={keyPath}>Your key</Link> is created by an administrator and shown once.
      </p>
    );
  }
  return (
    <p>
      <Link to="/login" search={{ redirect: '/?tab=docs' }}>
        Sign in
      </Link>{' '}
      to see a link to your key here. Without an account,{' '}
      {maySignUp && (
        <>
          <Link to="/signup">sign up</Link>, or{' '}
        </>
      )}
      ask an administrator of this gateway to invite you. An administrator also creates your API key, which is
      shown once.
    </p>
  );
}

function Starts({ label, starts }: { label: string; starts: readonly QuickStart[] }) {
  const [name, setName] = useState(starts[0]?.name ?? '');
  const start = starts.find((one) => one.name === name);
  return (
    <>
      <div>
        <SegmentedSwitch
          label={label}
          options={starts.map((one) => ({ value: one.name, label: one.name }))}
          value={name}
          onChange={setName}
        />
      </div>
      {start && <Snippet title={start.note} text={start.text} />}
    </>
  );
}

function ErrorCatalogue() {
  return (
    <>
      <h2>Errors</h2>
      <p className={styles.intro}>
        An error response explains the problem in <code>error.message</code>. It has one of these codes in{' '}
        <code>error.code</code>. When you ask an administrator for help, include the <code>x-request-id</code>{' '}
        of the response.
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard */}
      <section className={styles.sideways} tabIndex={0} aria-label="Error codes">
        <table className={styles.errors}>
          <thead>
            <tr>
              <th scope="col">Code</th>
              <th scope="col">Status</th>
              <th scope="col">Meaning</th>
            </tr>
          </thead>
          <tbody>
            {Object.entries(errorCodes).map(([code, { status, meaning }]) => (
              <tr key={code}>
                <th scope="row">
                  <code>{code}</code>
                </th>
                <td className="num">{status}</td>
                <td>{meaning}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </>
  );
}
