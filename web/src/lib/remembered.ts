import { useLocalStorage } from '@mantine/hooks';

/** A choice that this browser keeps, the same in all its tabs; the first of the choices until one is made. */
export function useRemembered<Choice extends string>(
  name: string,
  choices: readonly [Choice, ...Choice[]],
): [Choice, (choice: Choice) => void] {
  const [choice, setChoice] = useLocalStorage<Choice>({
    key: `sluice-${name}`,
    defaultValue: choices[0],
    getInitialValueInEffect: false,
    serialize: String,
    deserialize: (text) => choices.find((known) => known === text) ?? choices[0],
  });
  return [choice, setChoice];
}
