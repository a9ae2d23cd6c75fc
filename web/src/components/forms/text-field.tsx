import { TextInput, type TextInputProps } from '@mantine/core';

type TextFieldProps = Omit<TextInputProps, 'type'>;

/** One line of text. */
export function TextField(props: TextFieldProps) {
  return <TextInput autoComplete="off" {...props} />;
}

/** An address, with the keyboard for one on a phone. */
export function EmailField(props: TextFieldProps) {
  return <TextInput autoComplete="email" autoCapitalize="none" spellCheck={false} {...props} type="email" />;
}

/** A web address. */
export function UrlField(props: TextFieldProps) {
  return <TextInput autoComplete="off" autoCapitalize="none" spellCheck={false} {...props} type="url" />;
}
