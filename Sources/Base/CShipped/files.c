// Written by Tools/ship.
#include "CShipped.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char file0[] = {
#embed "../../../Fixtures/market/bodies/candles-bitcoin-usd-1d.json"
};
static const unsigned char file1[] = {
#embed "../../../Fixtures/market/bodies/candles-bitcoin-usd-30d.json"
};
static const unsigned char file2[] = {
#embed "../../../Fixtures/market/bodies/candles-bitcoin-usd-365d.json"
};
static const unsigned char file3[] = {
#embed "../../../Fixtures/market/bodies/candles-bitcoin-usd-7d.json"
};
static const unsigned char file4[] = {
#embed "../../../Fixtures/market/bodies/candles-dogecoin-usd-1d.json"
};
static const unsigned char file5[] = {
#embed "../../../Fixtures/market/bodies/candles-dogecoin-usd-30d.json"
};
static const unsigned char file6[] = {
#embed "../../../Fixtures/market/bodies/candles-dogecoin-usd-365d.json"
};
static const unsigned char file7[] = {
#embed "../../../Fixtures/market/bodies/candles-dogecoin-usd-7d.json"
};
static const unsigned char file8[] = {
#embed "../../../Fixtures/market/bodies/candles-ethereum-usd-1d.json"
};
static const unsigned char file9[] = {
#embed "../../../Fixtures/market/bodies/candles-ethereum-usd-30d.json"
};
static const unsigned char file10[] = {
#embed "../../../Fixtures/market/bodies/candles-ethereum-usd-365d.json"
};
static const unsigned char file11[] = {
#embed "../../../Fixtures/market/bodies/candles-ethereum-usd-7d.json"
};
static const unsigned char file12[] = {
#embed "../../../Fixtures/market/bodies/candles-shiba-inu-usd-1d.json"
};
static const unsigned char file13[] = {
#embed "../../../Fixtures/market/bodies/candles-shiba-inu-usd-30d.json"
};
static const unsigned char file14[] = {
#embed "../../../Fixtures/market/bodies/candles-shiba-inu-usd-365d.json"
};
static const unsigned char file15[] = {
#embed "../../../Fixtures/market/bodies/candles-shiba-inu-usd-7d.json"
};
static const unsigned char file16[] = {
#embed "../../../Fixtures/market/bodies/candles-solana-usd-1d.json"
};
static const unsigned char file17[] = {
#embed "../../../Fixtures/market/bodies/candles-solana-usd-30d.json"
};
static const unsigned char file18[] = {
#embed "../../../Fixtures/market/bodies/candles-solana-usd-365d.json"
};
static const unsigned char file19[] = {
#embed "../../../Fixtures/market/bodies/candles-solana-usd-7d.json"
};
static const unsigned char file20[] = {
#embed "../../../Fixtures/market/bodies/coins-list.json"
};
static const unsigned char file21[] = {
#embed "../../../Fixtures/market/bodies/detail-bitcoin-btc.json"
};
static const unsigned char file22[] = {
#embed "../../../Fixtures/market/bodies/detail-bitcoin-eur.json"
};
static const unsigned char file23[] = {
#embed "../../../Fixtures/market/bodies/detail-bitcoin-gbp.json"
};
static const unsigned char file24[] = {
#embed "../../../Fixtures/market/bodies/detail-bitcoin-usd.json"
};
static const unsigned char file25[] = {
#embed "../../../Fixtures/market/bodies/detail-dogecoin-btc.json"
};
static const unsigned char file26[] = {
#embed "../../../Fixtures/market/bodies/detail-dogecoin-eur.json"
};
static const unsigned char file27[] = {
#embed "../../../Fixtures/market/bodies/detail-dogecoin-gbp.json"
};
static const unsigned char file28[] = {
#embed "../../../Fixtures/market/bodies/detail-dogecoin-usd.json"
};
static const unsigned char file29[] = {
#embed "../../../Fixtures/market/bodies/detail-ethereum-btc.json"
};
static const unsigned char file30[] = {
#embed "../../../Fixtures/market/bodies/detail-ethereum-eur.json"
};
static const unsigned char file31[] = {
#embed "../../../Fixtures/market/bodies/detail-ethereum-gbp.json"
};
static const unsigned char file32[] = {
#embed "../../../Fixtures/market/bodies/detail-ethereum-usd.json"
};
static const unsigned char file33[] = {
#embed "../../../Fixtures/market/bodies/detail-shiba-inu-btc.json"
};
static const unsigned char file34[] = {
#embed "../../../Fixtures/market/bodies/detail-shiba-inu-eur.json"
};
static const unsigned char file35[] = {
#embed "../../../Fixtures/market/bodies/detail-shiba-inu-gbp.json"
};
static const unsigned char file36[] = {
#embed "../../../Fixtures/market/bodies/detail-shiba-inu-usd.json"
};
static const unsigned char file37[] = {
#embed "../../../Fixtures/market/bodies/detail-solana-btc.json"
};
static const unsigned char file38[] = {
#embed "../../../Fixtures/market/bodies/detail-solana-eur.json"
};
static const unsigned char file39[] = {
#embed "../../../Fixtures/market/bodies/detail-solana-gbp.json"
};
static const unsigned char file40[] = {
#embed "../../../Fixtures/market/bodies/detail-solana-usd.json"
};
static const unsigned char file41[] = {
#embed "../../../Fixtures/market/bodies/error-cloudflare.html"
};
static const unsigned char file42[] = {
#embed "../../../Fixtures/market/bodies/error-quotes-empty.json"
};
static const unsigned char file43[] = {
#embed "../../../Fixtures/market/bodies/error-rate-limited.json"
};
static const unsigned char file44[] = {
#embed "../../../Fixtures/market/bodies/line-bitcoin-usd-1d.json"
};
static const unsigned char file45[] = {
#embed "../../../Fixtures/market/bodies/line-bitcoin-usd-30d.json"
};
static const unsigned char file46[] = {
#embed "../../../Fixtures/market/bodies/line-bitcoin-usd-365d.json"
};
static const unsigned char file47[] = {
#embed "../../../Fixtures/market/bodies/line-bitcoin-usd-7d.json"
};
static const unsigned char file48[] = {
#embed "../../../Fixtures/market/bodies/line-dogecoin-usd-1d.json"
};
static const unsigned char file49[] = {
#embed "../../../Fixtures/market/bodies/line-dogecoin-usd-30d.json"
};
static const unsigned char file50[] = {
#embed "../../../Fixtures/market/bodies/line-dogecoin-usd-365d.json"
};
static const unsigned char file51[] = {
#embed "../../../Fixtures/market/bodies/line-dogecoin-usd-7d.json"
};
static const unsigned char file52[] = {
#embed "../../../Fixtures/market/bodies/line-ethereum-usd-1d.json"
};
static const unsigned char file53[] = {
#embed "../../../Fixtures/market/bodies/line-ethereum-usd-30d.json"
};
static const unsigned char file54[] = {
#embed "../../../Fixtures/market/bodies/line-ethereum-usd-365d.json"
};
static const unsigned char file55[] = {
#embed "../../../Fixtures/market/bodies/line-ethereum-usd-7d.json"
};
static const unsigned char file56[] = {
#embed "../../../Fixtures/market/bodies/line-shiba-inu-usd-1d.json"
};
static const unsigned char file57[] = {
#embed "../../../Fixtures/market/bodies/line-shiba-inu-usd-30d.json"
};
static const unsigned char file58[] = {
#embed "../../../Fixtures/market/bodies/line-shiba-inu-usd-365d.json"
};
static const unsigned char file59[] = {
#embed "../../../Fixtures/market/bodies/line-shiba-inu-usd-7d.json"
};
static const unsigned char file60[] = {
#embed "../../../Fixtures/market/bodies/line-solana-usd-1d.json"
};
static const unsigned char file61[] = {
#embed "../../../Fixtures/market/bodies/line-solana-usd-30d.json"
};
static const unsigned char file62[] = {
#embed "../../../Fixtures/market/bodies/line-solana-usd-365d.json"
};
static const unsigned char file63[] = {
#embed "../../../Fixtures/market/bodies/line-solana-usd-7d.json"
};
static const unsigned char file64[] = {
#embed "../../../Fixtures/market/bodies/quotes-btc.json"
};
static const unsigned char file65[] = {
#embed "../../../Fixtures/market/bodies/quotes-eur.json"
};
static const unsigned char file66[] = {
#embed "../../../Fixtures/market/bodies/quotes-gbp.json"
};
static const unsigned char file67[] = {
#embed "../../../Fixtures/market/bodies/quotes-usd.json"
};
static const unsigned char file68[] = {
#embed "../../../Fixtures/market/recording.har"
};
static const unsigned char file69[] = {
#embed "../../../imports/binance-trades.yaml"
};
static const unsigned char file70[] = {
#embed "../../../imports/binance.yaml"
};
static const unsigned char file71[] = {
#embed "../../../imports/bitpanda.yaml"
};
static const unsigned char file72[] = {
#embed "../../../imports/bitstamp.yaml"
};
static const unsigned char file73[] = {
#embed "../../../imports/bitvavo.yaml"
};
static const unsigned char file74[] = {
#embed "../../../imports/bybit.yaml"
};
static const unsigned char file75[] = {
#embed "../../../imports/coinbase.yaml"
};
static const unsigned char file76[] = {
#embed "../../../imports/cointracking.yaml"
};
static const unsigned char file77[] = {
#embed "../../../imports/cryptocom.yaml"
};
static const unsigned char file78[] = {
#embed "../../../imports/delta.yaml"
};
static const unsigned char file79[] = {
#embed "../../../imports/ghostfolio.yaml"
};
static const unsigned char file80[] = {
#embed "../../../imports/koinly.yaml"
};
static const unsigned char file81[] = {
#embed "../../../imports/kraken-ledgers.yaml"
};
static const unsigned char file82[] = {
#embed "../../../imports/kraken-trades.yaml"
};
static const unsigned char file83[] = {
#embed "../../../imports/kucoin.yaml"
};
static const unsigned char file84[] = {
#embed "../../../imports/okx-funding.yaml"
};
static const unsigned char file85[] = {
#embed "../../../imports/okx.yaml"
};
static const unsigned char file86[] = {
#embed "../../../imports/revolut.yaml"
};
static const unsigned char file87[] = {
#embed "../../../providers/alphavantage.yaml"
};
static const unsigned char file88[] = {
#embed "../../../providers/amfi.yaml"
};
static const unsigned char file89[] = {
#embed "../../../providers/analizy.yaml"
};
static const unsigned char file90[] = {
#embed "../../../providers/avanza.yaml"
};
static const unsigned char file91[] = {
#embed "../../../providers/banrep.yaml"
};
static const unsigned char file92[] = {
#embed "../../../providers/banxico.yaml"
};
static const unsigned char file93[] = {
#embed "../../../providers/base/exchange.yaml"
};
static const unsigned char file94[] = {
#embed "../../../providers/bcb.yaml"
};
static const unsigned char file95[] = {
#embed "../../../providers/bequant.yaml"
};
static const unsigned char file96[] = {
#embed "../../../providers/binance.yaml"
};
static const unsigned char file97[] = {
#embed "../../../providers/binanceus.yaml"
};
static const unsigned char file98[] = {
#embed "../../../providers/bitbank.yaml"
};
static const unsigned char file99[] = {
#embed "../../../providers/bitfinex.yaml"
};
static const unsigned char file100[] = {
#embed "../../../providers/bitflyer.yaml"
};
static const unsigned char file101[] = {
#embed "../../../providers/bitget.yaml"
};
static const unsigned char file102[] = {
#embed "../../../providers/bithumb.yaml"
};
static const unsigned char file103[] = {
#embed "../../../providers/bitopro.yaml"
};
static const unsigned char file104[] = {
#embed "../../../providers/bitpay.yaml"
};
static const unsigned char file105[] = {
#embed "../../../providers/bitso.yaml"
};
static const unsigned char file106[] = {
#embed "../../../providers/bitstamp.yaml"
};
static const unsigned char file107[] = {
#embed "../../../providers/bittrade.yaml"
};
static const unsigned char file108[] = {
#embed "../../../providers/bitvavo.yaml"
};
static const unsigned char file109[] = {
#embed "../../../providers/blockchaininfo.yaml"
};
static const unsigned char file110[] = {
#embed "../../../providers/bnm.yaml"
};
static const unsigned char file111[] = {
#embed "../../../providers/bnr.yaml"
};
static const unsigned char file112[] = {
#embed "../../../providers/boc.yaml"
};
static const unsigned char file113[] = {
#embed "../../../providers/boe.yaml"
};
static const unsigned char file114[] = {
#embed "../../../providers/boi.yaml"
};
static const unsigned char file115[] = {
#embed "../../../providers/btcmarkets.yaml"
};
static const unsigned char file116[] = {
#embed "../../../providers/btcturk.yaml"
};
static const unsigned char file117[] = {
#embed "../../../providers/bybit.yaml"
};
static const unsigned char file118[] = {
#embed "../../../providers/cbr.yaml"
};
static const unsigned char file119[] = {
#embed "../../../providers/cbrmetals.yaml"
};
static const unsigned char file120[] = {
#embed "../../../providers/cbu.yaml"
};
static const unsigned char file121[] = {
#embed "../../../providers/cnb.yaml"
};
static const unsigned char file122[] = {
#embed "../../../providers/coinbase.yaml"
};
static const unsigned char file123[] = {
#embed "../../../providers/coincap.yaml"
};
static const unsigned char file124[] = {
#embed "../../../providers/coincheck.yaml"
};
static const unsigned char file125[] = {
#embed "../../../providers/coinlore.yaml"
};
static const unsigned char file126[] = {
#embed "../../../providers/coinmarketcap.yaml"
};
static const unsigned char file127[] = {
#embed "../../../providers/coinpaprika.yaml"
};
static const unsigned char file128[] = {
#embed "../../../providers/coinsph.yaml"
};
static const unsigned char file129[] = {
#embed "../../../providers/cryptocom.yaml"
};
static const unsigned char file130[] = {
#embed "../../../providers/cryptocompare.yaml"
};
static const unsigned char file131[] = {
#embed "../../../providers/currencyapi.yaml"
};
static const unsigned char file132[] = {
#embed "../../../providers/defillama.yaml"
};
static const unsigned char file133[] = {
#embed "../../../providers/dnb.yaml"
};
static const unsigned char file134[] = {
#embed "../../../providers/ecb.yaml"
};
static const unsigned char file135[] = {
#embed "../../../providers/eodhd.yaml"
};
static const unsigned char file136[] = {
#embed "../../../providers/erapi.yaml"
};
static const unsigned char file137[] = {
#embed "../../../providers/finnhub.yaml"
};
static const unsigned char file138[] = {
#embed "../../../providers/fixture.yaml"
};
static const unsigned char file139[] = {
#embed "../../../providers/fmp.yaml"
};
static const unsigned char file140[] = {
#embed "../../../providers/frankfurter.yaml"
};
static const unsigned char file141[] = {
#embed "../../../providers/fred.yaml"
};
static const unsigned char file142[] = {
#embed "../../../providers/gate.yaml"
};
static const unsigned char file143[] = {
#embed "../../../providers/gemini.yaml"
};
static const unsigned char file144[] = {
#embed "../../../providers/goldapi.yaml"
};
static const unsigned char file145[] = {
#embed "../../../providers/goldapicom.yaml"
};
static const unsigned char file146[] = {
#embed "../../../providers/hitbtc.yaml"
};
static const unsigned char file147[] = {
#embed "../../../providers/hkma.yaml"
};
static const unsigned char file148[] = {
#embed "../../../providers/hnb.yaml"
};
static const unsigned char file149[] = {
#embed "../../../providers/htx.yaml"
};
static const unsigned char file150[] = {
#embed "../../../providers/independentreserve.yaml"
};
static const unsigned char file151[] = {
#embed "../../../providers/indodax.yaml"
};
static const unsigned char file152[] = {
#embed "../../../providers/justetf.yaml"
};
static const unsigned char file153[] = {
#embed "../../../providers/kraken.yaml"
};
static const unsigned char file154[] = {
#embed "../../../providers/kucoin.yaml"
};
static const unsigned char file155[] = {
#embed "../../../providers/lbma.yaml"
};
static const unsigned char file156[] = {
#embed "../../../providers/livecoinwatch.yaml"
};
static const unsigned char file157[] = {
#embed "../../../providers/luno.yaml"
};
static const unsigned char file158[] = {
#embed "../../../providers/mempool.yaml"
};
static const unsigned char file159[] = {
#embed "../../../providers/mercadobitcoin.yaml"
};
static const unsigned char file160[] = {
#embed "../../../providers/metalpriceapi.yaml"
};
static const unsigned char file161[] = {
#embed "../../../providers/metalsdev.yaml"
};
static const unsigned char file162[] = {
#embed "../../../providers/mexc.yaml"
};
static const unsigned char file163[] = {
#embed "../../../providers/mfapi.yaml"
};
static const unsigned char file164[] = {
#embed "../../../providers/moex.yaml"
};
static const unsigned char file165[] = {
#embed "../../../providers/nbg.yaml"
};
static const unsigned char file166[] = {
#embed "../../../providers/nbkr.yaml"
};
static const unsigned char file167[] = {
#embed "../../../providers/nbp.yaml"
};
static const unsigned char file168[] = {
#embed "../../../providers/nbpgold.yaml"
};
static const unsigned char file169[] = {
#embed "../../../providers/nbrb.yaml"
};
static const unsigned char file170[] = {
#embed "../../../providers/nbrm.yaml"
};
static const unsigned char file171[] = {
#embed "../../../providers/nbu.yaml"
};
static const unsigned char file172[] = {
#embed "../../../providers/norgesbank.yaml"
};
static const unsigned char file173[] = {
#embed "../../../providers/okx.yaml"
};
static const unsigned char file174[] = {
#embed "../../../providers/openexchangerates.yaml"
};
static const unsigned char file175[] = {
#embed "../../../providers/poloniex.yaml"
};
static const unsigned char file176[] = {
#embed "../../../providers/polygon.yaml"
};
static const unsigned char file177[] = {
#embed "../../../providers/rba.yaml"
};
static const unsigned char file178[] = {
#embed "../../../providers/riksbank.yaml"
};
static const unsigned char file179[] = {
#embed "../../../providers/sarb.yaml"
};
static const unsigned char file180[] = {
#embed "../../../providers/stooq.yaml"
};
static const unsigned char file181[] = {
#embed "../../../providers/tcmb.yaml"
};
static const unsigned char file182[] = {
#embed "../../../providers/tiingo.yaml"
};
static const unsigned char file183[] = {
#embed "../../../providers/tsp.yaml"
};
static const unsigned char file184[] = {
#embed "../../../providers/twelvedata.yaml"
};
static const unsigned char file185[] = {
#embed "../../../providers/twse.yaml"
};
static const unsigned char file186[] = {
#embed "../../../providers/upbit.yaml"
};
static const unsigned char file187[] = {
#embed "../../../providers/whitebit.yaml"
};
static const unsigned char file188[] = {
#embed "../../../providers/yahoo.yaml"
};
static const unsigned char file189[] = {
#embed "../../../docs/schemas/provider.json"
};

static const bitpal_shipped_file files[] = {
  {"Fixtures/market/bodies/candles-bitcoin-usd-1d.json", file0, sizeof file0},
  {"Fixtures/market/bodies/candles-bitcoin-usd-30d.json", file1, sizeof file1},
  {"Fixtures/market/bodies/candles-bitcoin-usd-365d.json", file2, sizeof file2},
  {"Fixtures/market/bodies/candles-bitcoin-usd-7d.json", file3, sizeof file3},
  {"Fixtures/market/bodies/candles-dogecoin-usd-1d.json", file4, sizeof file4},
  {"Fixtures/market/bodies/candles-dogecoin-usd-30d.json", file5, sizeof file5},
  {"Fixtures/market/bodies/candles-dogecoin-usd-365d.json", file6, sizeof file6},
  {"Fixtures/market/bodies/candles-dogecoin-usd-7d.json", file7, sizeof file7},
  {"Fixtures/market/bodies/candles-ethereum-usd-1d.json", file8, sizeof file8},
  {"Fixtures/market/bodies/candles-ethereum-usd-30d.json", file9, sizeof file9},
  {"Fixtures/market/bodies/candles-ethereum-usd-365d.json", file10, sizeof file10},
  {"Fixtures/market/bodies/candles-ethereum-usd-7d.json", file11, sizeof file11},
  {"Fixtures/market/bodies/candles-shiba-inu-usd-1d.json", file12, sizeof file12},
  {"Fixtures/market/bodies/candles-shiba-inu-usd-30d.json", file13, sizeof file13},
  {"Fixtures/market/bodies/candles-shiba-inu-usd-365d.json", file14, sizeof file14},
  {"Fixtures/market/bodies/candles-shiba-inu-usd-7d.json", file15, sizeof file15},
  {"Fixtures/market/bodies/candles-solana-usd-1d.json", file16, sizeof file16},
  {"Fixtures/market/bodies/candles-solana-usd-30d.json", file17, sizeof file17},
  {"Fixtures/market/bodies/candles-solana-usd-365d.json", file18, sizeof file18},
  {"Fixtures/market/bodies/candles-solana-usd-7d.json", file19, sizeof file19},
  {"Fixtures/market/bodies/coins-list.json", file20, sizeof file20},
  {"Fixtures/market/bodies/detail-bitcoin-btc.json", file21, sizeof file21},
  {"Fixtures/market/bodies/detail-bitcoin-eur.json", file22, sizeof file22},
  {"Fixtures/market/bodies/detail-bitcoin-gbp.json", file23, sizeof file23},
  {"Fixtures/market/bodies/detail-bitcoin-usd.json", file24, sizeof file24},
  {"Fixtures/market/bodies/detail-dogecoin-btc.json", file25, sizeof file25},
  {"Fixtures/market/bodies/detail-dogecoin-eur.json", file26, sizeof file26},
  {"Fixtures/market/bodies/detail-dogecoin-gbp.json", file27, sizeof file27},
  {"Fixtures/market/bodies/detail-dogecoin-usd.json", file28, sizeof file28},
  {"Fixtures/market/bodies/detail-ethereum-btc.json", file29, sizeof file29},
  {"Fixtures/market/bodies/detail-ethereum-eur.json", file30, sizeof file30},
  {"Fixtures/market/bodies/detail-ethereum-gbp.json", file31, sizeof file31},
  {"Fixtures/market/bodies/detail-ethereum-usd.json", file32, sizeof file32},
  {"Fixtures/market/bodies/detail-shiba-inu-btc.json", file33, sizeof file33},
  {"Fixtures/market/bodies/detail-shiba-inu-eur.json", file34, sizeof file34},
  {"Fixtures/market/bodies/detail-shiba-inu-gbp.json", file35, sizeof file35},
  {"Fixtures/market/bodies/detail-shiba-inu-usd.json", file36, sizeof file36},
  {"Fixtures/market/bodies/detail-solana-btc.json", file37, sizeof file37},
  {"Fixtures/market/bodies/detail-solana-eur.json", file38, sizeof file38},
  {"Fixtures/market/bodies/detail-solana-gbp.json", file39, sizeof file39},
  {"Fixtures/market/bodies/detail-solana-usd.json", file40, sizeof file40},
  {"Fixtures/market/bodies/error-cloudflare.html", file41, sizeof file41},
  {"Fixtures/market/bodies/error-quotes-empty.json", file42, sizeof file42},
  {"Fixtures/market/bodies/error-rate-limited.json", file43, sizeof file43},
  {"Fixtures/market/bodies/line-bitcoin-usd-1d.json", file44, sizeof file44},
  {"Fixtures/market/bodies/line-bitcoin-usd-30d.json", file45, sizeof file45},
  {"Fixtures/market/bodies/line-bitcoin-usd-365d.json", file46, sizeof file46},
  {"Fixtures/market/bodies/line-bitcoin-usd-7d.json", file47, sizeof file47},
  {"Fixtures/market/bodies/line-dogecoin-usd-1d.json", file48, sizeof file48},
  {"Fixtures/market/bodies/line-dogecoin-usd-30d.json", file49, sizeof file49},
  {"Fixtures/market/bodies/line-dogecoin-usd-365d.json", file50, sizeof file50},
  {"Fixtures/market/bodies/line-dogecoin-usd-7d.json", file51, sizeof file51},
  {"Fixtures/market/bodies/line-ethereum-usd-1d.json", file52, sizeof file52},
  {"Fixtures/market/bodies/line-ethereum-usd-30d.json", file53, sizeof file53},
  {"Fixtures/market/bodies/line-ethereum-usd-365d.json", file54, sizeof file54},
  {"Fixtures/market/bodies/line-ethereum-usd-7d.json", file55, sizeof file55},
  {"Fixtures/market/bodies/line-shiba-inu-usd-1d.json", file56, sizeof file56},
  {"Fixtures/market/bodies/line-shiba-inu-usd-30d.json", file57, sizeof file57},
  {"Fixtures/market/bodies/line-shiba-inu-usd-365d.json", file58, sizeof file58},
  {"Fixtures/market/bodies/line-shiba-inu-usd-7d.json", file59, sizeof file59},
  {"Fixtures/market/bodies/line-solana-usd-1d.json", file60, sizeof file60},
  {"Fixtures/market/bodies/line-solana-usd-30d.json", file61, sizeof file61},
  {"Fixtures/market/bodies/line-solana-usd-365d.json", file62, sizeof file62},
  {"Fixtures/market/bodies/line-solana-usd-7d.json", file63, sizeof file63},
  {"Fixtures/market/bodies/quotes-btc.json", file64, sizeof file64},
  {"Fixtures/market/bodies/quotes-eur.json", file65, sizeof file65},
  {"Fixtures/market/bodies/quotes-gbp.json", file66, sizeof file66},
  {"Fixtures/market/bodies/quotes-usd.json", file67, sizeof file67},
  {"Fixtures/market/recording.har", file68, sizeof file68},
  {"imports/binance-trades.yaml", file69, sizeof file69},
  {"imports/binance.yaml", file70, sizeof file70},
  {"imports/bitpanda.yaml", file71, sizeof file71},
  {"imports/bitstamp.yaml", file72, sizeof file72},
  {"imports/bitvavo.yaml", file73, sizeof file73},
  {"imports/bybit.yaml", file74, sizeof file74},
  {"imports/coinbase.yaml", file75, sizeof file75},
  {"imports/cointracking.yaml", file76, sizeof file76},
  {"imports/cryptocom.yaml", file77, sizeof file77},
  {"imports/delta.yaml", file78, sizeof file78},
  {"imports/ghostfolio.yaml", file79, sizeof file79},
  {"imports/koinly.yaml", file80, sizeof file80},
  {"imports/kraken-ledgers.yaml", file81, sizeof file81},
  {"imports/kraken-trades.yaml", file82, sizeof file82},
  {"imports/kucoin.yaml", file83, sizeof file83},
  {"imports/okx-funding.yaml", file84, sizeof file84},
  {"imports/okx.yaml", file85, sizeof file85},
  {"imports/revolut.yaml", file86, sizeof file86},
  {"providers/alphavantage.yaml", file87, sizeof file87},
  {"providers/amfi.yaml", file88, sizeof file88},
  {"providers/analizy.yaml", file89, sizeof file89},
  {"providers/avanza.yaml", file90, sizeof file90},
  {"providers/banrep.yaml", file91, sizeof file91},
  {"providers/banxico.yaml", file92, sizeof file92},
  {"providers/base/exchange.yaml", file93, sizeof file93},
  {"providers/bcb.yaml", file94, sizeof file94},
  {"providers/bequant.yaml", file95, sizeof file95},
  {"providers/binance.yaml", file96, sizeof file96},
  {"providers/binanceus.yaml", file97, sizeof file97},
  {"providers/bitbank.yaml", file98, sizeof file98},
  {"providers/bitfinex.yaml", file99, sizeof file99},
  {"providers/bitflyer.yaml", file100, sizeof file100},
  {"providers/bitget.yaml", file101, sizeof file101},
  {"providers/bithumb.yaml", file102, sizeof file102},
  {"providers/bitopro.yaml", file103, sizeof file103},
  {"providers/bitpay.yaml", file104, sizeof file104},
  {"providers/bitso.yaml", file105, sizeof file105},
  {"providers/bitstamp.yaml", file106, sizeof file106},
  {"providers/bittrade.yaml", file107, sizeof file107},
  {"providers/bitvavo.yaml", file108, sizeof file108},
  {"providers/blockchaininfo.yaml", file109, sizeof file109},
  {"providers/bnm.yaml", file110, sizeof file110},
  {"providers/bnr.yaml", file111, sizeof file111},
  {"providers/boc.yaml", file112, sizeof file112},
  {"providers/boe.yaml", file113, sizeof file113},
  {"providers/boi.yaml", file114, sizeof file114},
  {"providers/btcmarkets.yaml", file115, sizeof file115},
  {"providers/btcturk.yaml", file116, sizeof file116},
  {"providers/bybit.yaml", file117, sizeof file117},
  {"providers/cbr.yaml", file118, sizeof file118},
  {"providers/cbrmetals.yaml", file119, sizeof file119},
  {"providers/cbu.yaml", file120, sizeof file120},
  {"providers/cnb.yaml", file121, sizeof file121},
  {"providers/coinbase.yaml", file122, sizeof file122},
  {"providers/coincap.yaml", file123, sizeof file123},
  {"providers/coincheck.yaml", file124, sizeof file124},
  {"providers/coinlore.yaml", file125, sizeof file125},
  {"providers/coinmarketcap.yaml", file126, sizeof file126},
  {"providers/coinpaprika.yaml", file127, sizeof file127},
  {"providers/coinsph.yaml", file128, sizeof file128},
  {"providers/cryptocom.yaml", file129, sizeof file129},
  {"providers/cryptocompare.yaml", file130, sizeof file130},
  {"providers/currencyapi.yaml", file131, sizeof file131},
  {"providers/defillama.yaml", file132, sizeof file132},
  {"providers/dnb.yaml", file133, sizeof file133},
  {"providers/ecb.yaml", file134, sizeof file134},
  {"providers/eodhd.yaml", file135, sizeof file135},
  {"providers/erapi.yaml", file136, sizeof file136},
  {"providers/finnhub.yaml", file137, sizeof file137},
  {"providers/fixture.yaml", file138, sizeof file138},
  {"providers/fmp.yaml", file139, sizeof file139},
  {"providers/frankfurter.yaml", file140, sizeof file140},
  {"providers/fred.yaml", file141, sizeof file141},
  {"providers/gate.yaml", file142, sizeof file142},
  {"providers/gemini.yaml", file143, sizeof file143},
  {"providers/goldapi.yaml", file144, sizeof file144},
  {"providers/goldapicom.yaml", file145, sizeof file145},
  {"providers/hitbtc.yaml", file146, sizeof file146},
  {"providers/hkma.yaml", file147, sizeof file147},
  {"providers/hnb.yaml", file148, sizeof file148},
  {"providers/htx.yaml", file149, sizeof file149},
  {"providers/independentreserve.yaml", file150, sizeof file150},
  {"providers/indodax.yaml", file151, sizeof file151},
  {"providers/justetf.yaml", file152, sizeof file152},
  {"providers/kraken.yaml", file153, sizeof file153},
  {"providers/kucoin.yaml", file154, sizeof file154},
  {"providers/lbma.yaml", file155, sizeof file155},
  {"providers/livecoinwatch.yaml", file156, sizeof file156},
  {"providers/luno.yaml", file157, sizeof file157},
  {"providers/mempool.yaml", file158, sizeof file158},
  {"providers/mercadobitcoin.yaml", file159, sizeof file159},
  {"providers/metalpriceapi.yaml", file160, sizeof file160},
  {"providers/metalsdev.yaml", file161, sizeof file161},
  {"providers/mexc.yaml", file162, sizeof file162},
  {"providers/mfapi.yaml", file163, sizeof file163},
  {"providers/moex.yaml", file164, sizeof file164},
  {"providers/nbg.yaml", file165, sizeof file165},
  {"providers/nbkr.yaml", file166, sizeof file166},
  {"providers/nbp.yaml", file167, sizeof file167},
  {"providers/nbpgold.yaml", file168, sizeof file168},
  {"providers/nbrb.yaml", file169, sizeof file169},
  {"providers/nbrm.yaml", file170, sizeof file170},
  {"providers/nbu.yaml", file171, sizeof file171},
  {"providers/norgesbank.yaml", file172, sizeof file172},
  {"providers/okx.yaml", file173, sizeof file173},
  {"providers/openexchangerates.yaml", file174, sizeof file174},
  {"providers/poloniex.yaml", file175, sizeof file175},
  {"providers/polygon.yaml", file176, sizeof file176},
  {"providers/rba.yaml", file177, sizeof file177},
  {"providers/riksbank.yaml", file178, sizeof file178},
  {"providers/sarb.yaml", file179, sizeof file179},
  {"providers/stooq.yaml", file180, sizeof file180},
  {"providers/tcmb.yaml", file181, sizeof file181},
  {"providers/tiingo.yaml", file182, sizeof file182},
  {"providers/tsp.yaml", file183, sizeof file183},
  {"providers/twelvedata.yaml", file184, sizeof file184},
  {"providers/twse.yaml", file185, sizeof file185},
  {"providers/upbit.yaml", file186, sizeof file186},
  {"providers/whitebit.yaml", file187, sizeof file187},
  {"providers/yahoo.yaml", file188, sizeof file188},
  {"docs/schemas/provider.json", file189, sizeof file189},
};

const bitpal_shipped_file *bitpal_shipped_files(void) { return files; }

size_t bitpal_shipped_count(void) { return 190; }
