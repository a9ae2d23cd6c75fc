import { matching } from './checks.ts';

/** Where OpenAI and those who follow it take a picture from. */
export const pictureAddress = matching(
  /^(https?:\/\/|data:image\/[\w.+-]+;base64,[\w+/=-]+$)/,
  'it is neither an address nor a data URL of a picture',
);
