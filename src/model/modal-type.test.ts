import { expect, it } from 'vitest';
import { editsPictures, guessModalType, type ModalType } from './modal-type.ts';

const NAMES: Readonly<Record<ModalType, readonly string[]>> = {
  'image-gen': [
    'gpt-image-1',
    'gpt-image-1-mini',
    'gpt-image-1.5',
    'openai/gpt-image-1',
    'dall-e-2',
    'dall-e-3',
    'imagen-4.0-generate-001',
    'black-forest-labs/FLUX.1-schnell',
    'flux-1.1-pro',
    'stabilityai/stable-diffusion-3-5-large',
    'stable-diffusion-xl-1024-v1-0',
    'Qwen/Qwen-Image',
    'grok-2-image-1212',
    'Kwai-Kolors/Kolors',
    'cogview-4-250304',
  ],
  'image-edit': ['Qwen/Qwen-Image-Edit', 'qwen-image-edit-plus', 'flux-kontext-pro', 'FLUX.1-Kontext-dev'],
  'audio-stt': [
    'whisper-1',
    'whisper-large-v3-turbo',
    'Systran/faster-whisper-small',
    'distil-whisper-large-v3-en',
    'gpt-4o-transcribe',
    'gpt-4o-mini-transcribe-2025-12-15',
    'gpt-4o-transcribe-diarize',
    'voxtral-mini-transcribe-2507',
    'FunAudioLLM/SenseVoiceSmall',
  ],
  'audio-tts': [
    'tts-1',
    'tts-1-hd',
    'gpt-4o-mini-tts',
    'gpt-4o-mini-tts-2025-03-20',
    'playai-tts-arabic',
    'kokoro',
    'hexgrad/Kokoro-82M',
    'FunAudioLLM/CosyVoice2-0.5B',
    'gemini-2.5-flash-preview-tts',
  ],
  chat: [
    'gpt-4o',
    'gpt-4o-mini',
    'gpt-4o-audio-preview',
    'gpt-realtime',
    'gpt-5',
    'o4-mini',
    'chatgpt-4o-latest',
    'claude-opus-4-1',
    'gemini-2.5-pro',
    'gemini-2.5-flash-image',
    'grok-4',
    'grok-2-vision-1212',
    'deepseek-chat',
    'deepseek-reasoner',
    'qwen3:8b',
    'qwen2.5-vl-72b-instruct',
    'llama3.2-vision:11b',
    'mistral-small-latest',
    'voxtral-small-latest',
    'moonshotai/kimi-k2',
    'glm-4.6',
    'gemma3:27b',
    'phi4-mini',
    'offline-demo',
    'scripted',
    'whisperer-7b',
    'imagine-7b',
    'influx-assistant',
    'swift-ts',
    '',
  ],
};

const CASES = Object.entries(NAMES).flatMap(([type, names]) => names.map((name) => [type, name] as const));

it.each(CASES)('tells %s by the name "%s"', (type, name) => {
  expect(guessModalType(name)).toBe(type);
});

it('knows which models that make pictures change them, too', () => {
  expect(['gpt-image-1', 'openai/gpt-image-1-mini', 'dall-e-2', 'dall-e-3', 'flux-1.1-pro', 'gpt-4o'].map(editsPictures)).toEqual([
    true,
    true,
    true,
    false,
    false,
    false,
  ]);
});
