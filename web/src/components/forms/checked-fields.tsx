import { Checkbox, type CheckboxProps, Switch, type SwitchProps } from '@mantine/core';

/** Something to agree to or to pick; counts when the form is saved. */
export function CheckboxField(props: CheckboxProps) {
  return <Checkbox {...props} />;
}

/** Something that is on or off. */
export function SwitchField(props: SwitchProps) {
  return <Switch withThumbIndicator={false} {...props} />;
}
