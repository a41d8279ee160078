// The slash command `/ledger user:` for discord.js: what a user has bought, with buttons to turn the pages.
//
// client.on('interactionCreate', (interaction) => onInteraction(ledger, interaction))
import {
  ActionRowBuilder,
  ButtonBuilder,
  ButtonStyle,
  escapeMarkdown,
  MessageFlags,
  PermissionFlagsBits,
  SlashCommandBuilder,
  type Interaction,
  type InteractionEditReplyOptions,
} from 'discord.js'
import { InvalidParameterError, type GuildLedger, type UserPage } from '@guild-ledger/sdk'
import { adviceAbout } from './errors.ts'

/** To be registered once, with `guild.commands.create(command)`. */
export const command = new SlashCommandBuilder()
  .setName('ledger')
  .setDescription('Shows what a user has bought')
  // What people buy is not for everybody; server settings can open it further.
  .setDefaultMemberPermissions(PermissionFlagsBits.ManageGuild)
  .addStringOption((option) =>
    // The identifier travels in the buttons, which hold 100 characters.
    option.setName('user').setDescription('Identifier on the game platform').setRequired(true).setMaxLength(80),
  )

const rows = 10 // a message holds 2,000 characters
const nameLength = 60

const text = ({ data, pagination }: UserPage): string => {
  const lines = data.transactions.map(({ createdAt, quantity, name, total }) => {
    const day = `<t:${Math.floor(Date.parse(createdAt) / 1000)}:d>`
    return `${day} ${quantity} × ${escapeMarkdown(name.slice(0, nameLength).toWellFormed())}: **${total.toFixed(2)}**`
  })
  return [...lines, `-# page ${pagination.page} of ${pagination.totalPages}`].join('\n')
}

// The page stands in the button, not in the memory of the bot: it works after a restart, and in every shard.
const button = (label: string, platformId: string, page: number, isThere: boolean) =>
  new ButtonBuilder()
    .setCustomId(`ledger:${page}:${platformId}`)
    .setLabel(label)
    .setStyle(ButtonStyle.Secondary)
    .setDisabled(!isThere)

/** A page as a message. Names come from users: they ping nobody and format nothing. */
const message = async (ledger: GuildLedger, platformId: string, page: number): Promise<InteractionEditReplyOptions> => {
  const quiet = { allowedMentions: { parse: [] }, components: [] }
  try {
    const query = { page, limit: rows, sortBy: 'createdAt', sortOrder: 'desc' } as const
    const found = await ledger.user(platformId).transactions.list(query, { timeoutMs: 10_000 })
    const back = button('Newer', platformId, page - 1, page > 1)
    const on = button('Older', platformId, page + 1, page < found.pagination.totalPages)
    return {
      ...quiet,
      content: text(found),
      components: [new ActionRowBuilder<ButtonBuilder>().addComponents(back, on)],
    }
  } catch (error) {
    if (error instanceof InvalidParameterError) return { ...quiet, content: 'This is no identifier of a user.' }
    if (adviceAbout(error)?.who !== 'nobody') console.error('/ledger:', error) // the SDK's hold no key
    return { ...quiet, content: adviceAbout(error)?.tell ?? 'Something went wrong.' }
  }
}

/** Answers the command and its buttons; leaves everything else to others. */
export const onInteraction = async (ledger: GuildLedger, interaction: Interaction): Promise<void> => {
  if (interaction.isChatInputCommand() && interaction.commandName === 'ledger') {
    // Discord waits three seconds for a sign of life; the ledger may take longer.
    await interaction.deferReply({ flags: MessageFlags.Ephemeral })
    await interaction.editReply(await message(ledger, interaction.options.getString('user', true), 1))
  } else if (interaction.isButton() && interaction.customId.startsWith('ledger:')) {
    const [, page = '1', ...platformId] = interaction.customId.split(':')
    await interaction.deferUpdate()
    await interaction.editReply(await message(ledger, platformId.join(':'), Number(page)))
  }
}
