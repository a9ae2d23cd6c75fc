import { Textarea, type TextareaProps } from '@mantine/core';
import styles from './text-area-field.module.css';

interface TextAreaFieldProps extends Omit<TextareaProps, 'description' | 'value'> {
  value?: string | null;
  /** Shows how much of it is used: `0/500`. The schema refuses what is longer, so nothing typed is cut off. */
  characterLimit?: number;
}

export function TextAreaField({ characterLimit, value, ...props }: TextAreaFieldProps) {
  const text = value ?? '';
  return (
    <Textarea
      rows={3}
      {...props}
      value={text}
      description={
        characterLimit !== undefined && (
          <span className={`num ${text.length > characterLimit ? styles.over : styles.count}`}>
            {text.length}/{characterLimit}
          </span>
        )
      }
    />
  );
}
