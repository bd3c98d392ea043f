/** What a model is used for: which handler, and so which endpoint, a message is sent to. */
export type ModalType = 'chat' | 'image-gen' | 'image-edit' | 'audio-stt' | 'audio-tts';

/** Names are matched between separators, so that no ordinary chat model is mistaken for another type: `swift-ts` is not for speech. */
const named = (words: string): RegExp => new RegExp(`(?:^|[/:_ -])(?:${words})(?=$|[/:_ .\\d-])`, 'i');

const KINDS: readonly (readonly [ModalType, RegExp])[] = [
  ['audio-stt', named('whisper|transcribe|stt|asr|sensevoice\\w*|paraformer|voxtral-\\w+-transcribe')],
  ['audio-tts', named('tts|xtts|kokoro|cosyvoice\\d*|fish-speech|chatterbox')],
  ['image-edit', named('image-edit|flux[.\\d]*-kontext')],
  [
    'image-gen',
    named(
      'gpt-image|chatgpt-image|dall-e|dalle|imagen|flux|stable-diffusion|sdxl|qwen-image|z-image|seedream|hidream|kolors|cogview|grok-\\d+-image',
    ),
  ],
];

/** The type by the model's name; `chat` for unknown names and for models that hear, see or draw within a chat. */
export function guessModalType(modelName: string): ModalType {
  return KINDS.find(([, words]) => words.test(modelName))?.[0] ?? 'chat';
}

export function editsPictures(modelName: string): boolean {
  return named('gpt-image|chatgpt-image|dall-e-2').test(modelName);
}
