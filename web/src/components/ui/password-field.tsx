import { TextInput, type TextInputProps } from '@mantine/core';
import { type KeyboardEvent, useState } from 'react';
import styles from './password-field.module.css';

interface PasswordFieldProps extends Omit<TextInputProps, 'type' | 'rightSection'> {
  /** Noun for the hidden value. The default is `password`. */
  noun?: string;
}

export function PasswordField({ noun = 'password', ...props }: PasswordFieldProps) {
  const [isShown, setShown] = useState(false);
  const [isCapsLockOn, setCapsLockOn] = useState(false);
  const noteCapsLock = (event: KeyboardEvent) => setCapsLockOn(event.getModifierState('CapsLock'));

  return (
    <div>
      <TextInput
        {...props}
        type={isShown ? 'text' : 'password'}
        autoCapitalize="none"
        spellCheck={false}
        onKeyDown={noteCapsLock}
        onKeyUp={noteCapsLock}
        rightSectionWidth="3.75rem"
        rightSection={
          <button
            type="button"
            className={styles.toggle}
            aria-label={`${isShown ? 'Hide' : 'Show'} ${noun}`}
            onClick={() => setShown(!isShown)}
          >
            {isShown ? 'Hide' : 'Show'}
          </button>
        }
      />
      <div role="status" className={styles.hint}>
        {isCapsLockOn && 'Caps Lock is on'}
      </div>
    </div>
  );
}
