import { Checkbox, type CheckboxProps, Switch, type SwitchProps } from '@mantine/core';

/** Checkbox. */
export function CheckboxField(props: CheckboxProps) {
  return <Checkbox {...props} />;
}

/** Switch. */
export function SwitchField(props: SwitchProps) {
  return <Switch withThumbIndicator={false} {...props} />;
}
