import { Button, Checkbox } from '@mantine/core';
import type { ManagementScope } from '@sluice/contract';
import type { ReactNode } from 'react';
import { groupScopes } from './group-scopes.ts';
import styles from './scopes-field.module.css';

interface ScopesFieldProps {
  offered: readonly ManagementScope[];
  value?: readonly ManagementScope[];
  error?: ReactNode;
  onChange: (value: ManagementScope[]) => void;
  'data-path'?: string;
}

export function ScopesField({ offered, value = [], error, onChange, ...props }: ScopesFieldProps) {
  const choose = (scopes: readonly string[]) => onChange(offered.filter((scope) => scopes.includes(scope)));
  const reading = offered.filter((scope) => scope.endsWith(':read'));
  return (
    <Checkbox.Group label="Scopes" value={[...value]} error={error} onChange={choose}>
      <p className="quiet">Write does not include read.</p>
      <div className={styles.tools}>
        <Button variant="default" size="compact-sm" onClick={() => choose([...value, ...reading])}>
          Select all read scopes
        </Button>
        <Button
          variant="default"
          size="compact-sm"
          disabled={value.length === 0}
          onClick={() => onChange([])}
        >
          Clear
        </Button>
        <output className={`num ${styles.count}`}>
          {value.length} of {offered.length}
        </output>
      </div>
      <ul className={styles.groups} aria-label="Subjects">
        {groupScopes(offered).map(({ subject, label, actions }, index) => (
          <li key={subject} className={styles.group}>
            <span>{label}</span>
            {actions.map((action, place) => (
              <span key={action.scope} className={styles[action.kind]}>
                <Checkbox
                  value={action.scope}
                  label={action.label}
                  aria-label={`${action.label}: ${label}`}
                  data-path={index === 0 && place === 0 ? props['data-path'] : undefined}
                />
              </span>
            ))}
          </li>
        ))}
      </ul>
    </Checkbox.Group>
  );
}
