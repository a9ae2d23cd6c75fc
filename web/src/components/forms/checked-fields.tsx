import { Checkbox, type CheckboxProps, Switch, type SwitchProps } from '@mantine/core';

export function CheckboxField(props: CheckboxProps) {
  return <Checkbox {...props} />;
}

export function SwitchField(props: SwitchProps) {
  return <Switch withThumbIndicator={false} {...props} />;
}
