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
  /** Path of the user's API key; `null` if signed out. */
  keyPath: string | null;
}

/** How to make the first call with each kind of client, and what each error means. */
export function DocsTab({ model, hasModel, keyPath }: DocsTabProps) {
  const { origin } = window.location;
  return (
    <section className={styles.section}>
      <h1>Docs</h1>
      <p className={styles.intro}>
        A first call needs three things: the address of this gateway, your key, and the name of a model.
      </p>
      <ol className={styles.steps}>
        <li>
          <h2>Get your key</h2>
          <KeyHint keyPath={keyPath} />
          <Snippet title="In your shell" text="export SLUICE_API_KEY=slc_..." />
        </li>
        <li>
          <h2>Make the call</h2>
          {!hasModel && <p>You may use no model yet. Ask your administrator for access to one first.</p>}
          <Starts label="Client" starts={quickStarts(origin, model)} />
        </li>
        <li>
          <h2>See it arrive</h2>
          <p>
            {keyPath === null ? 'The dashboard' : <Link to="/dashboard">Your dashboard</Link>} shows the
            request a second later: what it used or, if it was refused, why and what to do.
          </p>
        </li>
        <li>
          <h2>Or point your coding assistant here</h2>
          <Starts label="Assistant" starts={assistants(origin, model)} />
        </li>
      </ol>
      <p className={styles.hint}>
        <code>{model}</code> is the model of these examples. Which ones you may use is answered by{' '}
        <code>GET /api/v1/models</code>. If you have several tasks, name one by the header{' '}
        <code>X-Task-Id</code>, or by <code>task_id</code> in the body.
      </p>
      <ErrorCatalogue />
    </section>
  );
}

function KeyHint({ keyPath }: { keyPath: string | null }) {
  if (keyPath !== null) {
    return (
      <p>
        <Link to={keyPath}>Your key</Link> is made by an administrator, and shown once.
      </p>
    );
  }
  return (
    <p>
      <Link to="/login" search={{ redirect: '/?tab=docs' }}>
        Sign in
      </Link>
      , and you come back here. Without an account, ask an administrator of this gateway to invite you. An
      administrator makes your key, too: Users, the row of a person, API key. It is shown once.
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
        A refusal says what happened in <code>error.message</code>, and which of these it is in{' '}
        <code>error.code</code>. Tell an administrator the <code>x-request-id</code> of the answer.
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
