import { Textarea, type TextareaProps, TextInput, type TextInputProps } from '@mantine/core';
import styles from './text-area-field.module.css';

type TextFieldProps = Omit<TextInputProps, 'type'>;

export function TextField(props: TextFieldProps) {
  return <TextInput autoComplete="off" {...props} />;
}

export function EmailField(props: TextFieldProps) {
  return <TextInput autoComplete="email" autoCapitalize="none" spellCheck={false} {...props} type="email" />;
}

/** Values have the form `2026-11-27`. */
export function DayField(props: TextFieldProps) {
  return <TextInput {...props} type="date" />;
}

export function UrlField(props: TextFieldProps) {
  return <TextInput autoComplete="off" autoCapitalize="none" spellCheck={false} {...props} type="url" />;
}

interface TextAreaFieldProps extends Omit<TextareaProps, 'description' | 'value'> {
  value?: string | null;
  /**
   * Maximum length for the character counter, for example `0/500`. The input is never truncated; the schema rejects
   * longer texts.
   */
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
