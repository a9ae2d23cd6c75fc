import { useLocalStorage } from '@mantine/hooks';

/** All tabs share the choice. The default is the first option. */
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
