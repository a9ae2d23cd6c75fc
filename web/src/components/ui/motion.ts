/** How what floats appears and goes: 120 ms in, 80 ms out; Mantine drops it where people want no motion. */
export const floatMotion = {
  transition: 'fade',
  duration: 120,
  exitDuration: 80,
  timingFunction: 'ease-out',
} as const;
