import { Checkbox } from '@mantine/core';
import type { ReactNode } from 'react';
import styles from './checkboxes-field.module.css';

/** Properties that a form binds. */
export interface ChoiceBinding {
  value?: readonly string[];
  error?: ReactNode;
  onChange: (value: string[]) => void;
  'data-path'?: string;
}

interface CheckboxesFieldProps extends ChoiceBinding {
  label: string;
  description?: string;
  options: readonly { readonly value: string; readonly label: string; readonly description?: string }[];
}

/** The first checkbox gets the focus if the value is invalid. */
export function CheckboxesField({ options, value = [], 'data-path': path, ...group }: CheckboxesFieldProps) {
  return (
    <Checkbox.Group value={[...value]} {...group}>
      <div className={styles.options}>
        {options.map((option, place) => (
          <Checkbox key={option.value} {...option} data-path={place === 0 ? path : undefined} />
        ))}
      </div>
    </Checkbox.Group>
  );
}
