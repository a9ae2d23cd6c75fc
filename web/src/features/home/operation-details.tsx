import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import styles from './api-tab.module.css';
import type { Field, Operation } from './read-openapi.ts';
import { TryIt } from './try-it.tsx';

interface OperationDetailsProps {
  operation: Operation;
  model: string;
  isSignedIn: boolean;
}

/** One endpoint; its details render when it is opened. */
export function OperationDetails({ operation, model, isSignedIn }: OperationDetailsProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className={styles.operation} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <span className={styles.method}>{operation.method}</span>
        <code className={styles.path}>{operation.path}</code>
        <span className={styles.summary}>{operation.summary}</span>
      </summary>
      {isOpen && (
        <div className={styles.details}>
          <p className="quiet">
            {operation.permission === 'anyone' ? (
              'Open to everybody.'
            ) : (
              <>
                Needs the permission <code>{operation.permission}</code>.
              </>
            )}
          </p>
          <Fields title="Parameters" fields={operation.parameters} />
          <Fields title={`Body, ${operation.body?.mediaType}`} fields={operation.body?.fields ?? []} />
          <Fields title={`Answer ${operation.status}`} fields={operation.answer} />
          {isSignedIn || operation.permission === 'anyone' ? (
            <TryIt operation={operation} model={model} />
          ) : (
            <p>
              <Link to="/login" search={{ redirect: '/?tab=api' }}>
                Sign in
              </Link>{' '}
              to try it here.
            </p>
          )}
        </div>
      )}
    </details>
  );
}

function Fields({ title, fields }: { title: string; fields: readonly Field[] }) {
  if (fields.length === 0) return null;
  return (
    <>
      <h3>{title}</h3>
      <dl className={styles.fields}>
        {fields.map((field) => (
          <div key={field.name}>
            <dt>
              <code>{field.name}</code>
            </dt>
            <dd>
              {field.type}
              {field.isRequired && <strong> required</strong>}
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}
