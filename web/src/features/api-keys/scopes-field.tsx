import { Checkbox } from '@mantine/core';
import { type ApiKeyScope, apiKeyScopes } from '@sluice/contract';
import type { ReactNode } from 'react';
import styles from './scopes-field.module.css';

const meanings: Record<ApiKeyScope, { label: string; description: string }> = {
  completions: { label: 'Completions', description: 'Ask models: chat, messages, responses' },
  embeddings: { label: 'Embeddings', description: 'Turn text into vectors' },
  models: { label: 'Models', description: 'List the models that may be used' },
};

interface ScopesFieldProps {
  value?: readonly string[];
  error?: ReactNode;
  onChange: (value: string[]) => void;
}

/** Scopes of a key. */
export function ScopesField({ value = [], error, onChange }: ScopesFieldProps) {
  return (
    <Checkbox.Group label="Scopes" value={[...value]} error={error} onChange={onChange}>
      <div className={styles.scopes}>
        {apiKeyScopes.map((scope) => (
          <Checkbox key={scope} value={scope} {...meanings[scope]} />
        ))}
      </div>
    </Checkbox.Group>
  );
}
