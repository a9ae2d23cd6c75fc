import { defaultProviderTimeouts, type ProviderTimeoutField } from '@sluice/contract';
import { useState } from 'react';
import { NumberField } from '#components/forms/number-field.tsx';
import { formatCount, roundFraction } from '#lib/format-number.ts';
import type { ProviderFormState } from './provider-form.ts';
import styles from './timeout-fields.module.css';

const fields: readonly [name: ProviderTimeoutField, label: string, description: string][] = [
  ['connect_timeout_ms', 'Connect timeout', 'Until the connection is established'],
  ['first_byte_timeout_ms', 'First byte timeout', 'Until a stream begins'],
  ['idle_timeout_ms', 'Idle timeout', 'Between two events of a stream'],
  ['total_timeout_ms', 'Total timeout', 'For a complete answer without streaming'],
  ['stream_total_timeout_ms', 'Stream total timeout', 'Until the end of the stream'],
];

/** The fields are expanded if a timeout is set or has an error. */
export function TimeoutFields({ form }: { form: ProviderFormState }) {
  const [isOpen, setOpen] = useState(() => fields.some(([name]) => form.values[name] !== null));
  const hasProblem = fields.some(([name]) => form.bind(name).error);
  return (
    <details
      className={styles.timeouts}
      open={isOpen || hasProblem}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>Timeouts</summary>
      <p className={styles.hint}>
        In seconds. Leave a field empty for the default. After a timeout, the next provider of the model is
        tried, unless the answer has started.
      </p>
      <div className={styles.fields}>
        {fields.map(([name, label, description]) => (
          <SecondsField key={name} name={name} label={label} description={description} form={form} />
        ))}
      </div>
    </details>
  );
}

interface SecondsFieldProps {
  name: ProviderTimeoutField;
  label: string;
  description: string;
  form: ProviderFormState;
}

/** The form value is in milliseconds. */
function SecondsField({ name, label, description, form: { bind } }: SecondsFieldProps) {
  const { value, onChange, ...bound } = bind(name);
  return (
    <NumberField
      label={label}
      description={description}
      emptyMeans="unlimited"
      placeholder={`${formatCount(defaultProviderTimeouts[name] / 1_000)} s`}
      unit="s"
      {...bound}
      value={typeof value === 'number' ? value / 1_000 : value}
      onChange={(next) => onChange(typeof next === 'number' ? roundFraction(next * 1_000) : next)}
    />
  );
}
